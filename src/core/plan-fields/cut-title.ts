/** A title has at most 80 characters. The content keeps the full text. */
export function cutTitle(title: string): string {
  const characters = [...title.toWellFormed()]
  if (characters.length <= LONGEST) return characters.join('')
  const start = characters.slice(0, LONGEST - 1).join('')
  const lastBlank = start.lastIndexOf(' ')
  return `${(lastBlank > LONGEST / 2 ? start.slice(0, lastBlank) : start).trimEnd()}…`
}

const LONGEST = 80
