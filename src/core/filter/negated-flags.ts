/** `--not --milestone m1` is `--not milestone:"m1"`: what is wrong without a `--not` stays as it is, and is refused. */
export function joinNegatedFlags(words: readonly string[]): string[] {
  const joined: string[] = []
  const rest = [...words]
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    joined.push(word)
    if (word === '--') return [...joined, ...rest]
    const term = word === '--not' ? negated(rest) : null
    if (term === null) continue
    joined.push(term.text)
    rest.splice(0, term.words)
  }
  return joined
}

const FIELD = /^--(status|type|group|agent|priority|milestone|since|file)(?:=(.*))?$/s

/** The term that these words begin with, and how many of them it takes. */
function negated([flag = '', next]: readonly string[]): { text: string; words: number } | null {
  const [, field, own] = FIELD.exec(flag) ?? []
  const value = own ?? next
  if (field === undefined || value === undefined || value.startsWith('--')) return null
  const inside = value.replace(/^(["'])(.*)\1$/s, '$2')
  return inside === '' || inside.includes('"')
    ? null
    : { text: `${field}:"${inside}"`, words: own === undefined ? 2 : 1 }
}
