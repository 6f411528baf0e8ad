/** JSON with sorted keys: equal values give equal bytes, whatever program wrote them. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null'
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined)
  entries.sort(([a], [b]) => compareText(a, b))
  return `{${entries.map(([key, inner]) => `${JSON.stringify(key)}:${canonical(inner)}`).join(',')}}`
}

/** By code unit, never by locale: every clone must sort in the same way. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** The greater of two values in canonical order: any fixed choice works, if all clones make the same one. */
export function greater<T>(a: T, b: T): T {
  return compareText(canonical(a), canonical(b)) >= 0 ? a : b
}
