/** The lines without their common indentation, and without blank lines at both ends. */
export function dedent(lines: readonly string[]): string {
  let common: string | undefined
  for (const line of lines) {
    if (line.trim() === '') continue
    const margin = marginOf(line)
    common = common === undefined ? margin : margin.slice(0, sharedLength(common, margin))
  }
  const width = common?.length ?? 0
  const bare = lines.map((line) => (line.trim() === '' ? '' : line.slice(width)))
  return bare
    .slice(bare.findIndex((line) => line !== ''))
    .join('\n')
    .trimEnd()
}

/** The line, indented at least as far as the one above it. */
export function alignWith(above: string | undefined, line: string): string {
  const margin = marginOf(line)
  const wanted = above === undefined ? margin : marginOf(above)
  return wanted.length > margin.length ? wanted + line.trimStart() : line
}

function marginOf(line: string): string {
  return line.slice(0, line.length - line.trimStart().length)
}

function sharedLength(a: string, b: string): number {
  let length = 0
  while (length < a.length && a[length] === b[length]) length++
  return length
}
