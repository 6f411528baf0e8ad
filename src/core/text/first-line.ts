export function firstLine(text: string): string {
  const end = text.indexOf('\n')
  return end < 0 ? text : text.slice(0, end)
}

/** The first line, which says what happened, and the last ones, in which a program gives its reason. */
export function firstAndLast(text: string, last: number): string[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  return lines.filter((_, at) => at === 0 || at >= lines.length - last)
}
