/**
 * The key that was probably meant: one of the same section with a similar spelling, otherwise one with that name or a
 * similar spelling in another section. Comparing whole keys letter by letter finds neither.
 */
export function nearestKey(wrong: string, known: readonly string[]): string | null {
  const elsewhere = known.filter((key) => !key.includes('*'))
  // The right name in the wrong section.
  const same = elsewhere.find((key) => lastOf(key) === lastOf(wrong))
  if (same !== undefined) return same
  const parent = wrong.split('.').slice(0, -1)
  const near = nearestWord(lastOf(wrong), keysBelow(parent, known))
  if (near !== null) return [...parent, near].join('.')
  const name = nearestWord(lastOf(wrong), elsewhere.map(lastOf))
  return elsewhere.find((key) => lastOf(key) === name) ?? null
}

/** The names that are allowed directly below a section, each once. */
export function keysBelow(section: readonly string[], known: readonly string[]): string[] {
  const names = known
    .map((key) => key.split('.'))
    .filter((path) => section.every((name, at) => path[at] === name || path[at] === '*'))
    .flatMap((path) => path[section.length] ?? [])
  return [...new Set(names)].filter((name) => name !== '*')
}

function lastOf(key: string): string {
  return key.slice(key.lastIndexOf('.') + 1)
}

/** The word with the most similar spelling, if one is similar enough. */
export function nearestWord(word: string, words: readonly string[]): string | null {
  const ranked = words
    .map((other) => ({ other, far: distance(word.toLowerCase(), other) }))
    .filter(({ other, far }) => far <= Math.max(1, Math.floor(other.length / 3)) || isPart(word, other))
    .sort((a, b) => a.far - b.far)
  return ranked[0]?.other ?? null
}

/** `timeout` is far from `timeout_minutes` in letters, but near in meaning. */
function isPart(word: string, other: string): boolean {
  return word.length >= 4 && (other.includes(word) || (other.length >= 4 && word.includes(other)))
}

/** The number of letters to insert, delete, replace or swap with their neighbour to turn one word into the other. */
function distance(a: string, b: string): number {
  let before: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let row = 1; row <= a.length; row++) {
    const next = [row]
    for (let at = 1; at <= b.length; at++) {
      const replaced = (last[at - 1] ?? 0) + (a[row - 1] === b[at - 1] ? 0 : 1)
      const swapped = a[row - 1] === b[at - 2] && a[row - 2] === b[at - 1] ? (before[at - 2] ?? 0) + 1 : replaced
      next.push(Math.min((last[at] ?? 0) + 1, (next[at - 1] ?? 0) + 1, replaced, swapped))
    }
    before = last
    last = next
  }
  return last[b.length] ?? 0
}
