/** The same value with each text in it changed, for anything that JSON can hold. Keys of objects stay. */
export function mapTexts(value: unknown, map: (text: string) => string): unknown {
  if (typeof value === 'string') return map(value)
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, map))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapTexts(item, map)]))
}
