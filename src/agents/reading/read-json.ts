/**
 * A line of a client's stream as an object, or null: streams also contain warnings and broken lines. Fields are read
 * one by one, so that one with an unexpected type loses only itself; a schema would lose the whole line.
 */
export function readJson(line: string): object | null {
  const text = line.trim()
  if (!text.startsWith('{')) return null
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** The value at the end of a path, or undefined. */
export function at(value: unknown, ...path: string[]): unknown {
  let found = value
  for (const key of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) return undefined
    found = (found as Record<string, unknown>)[key]
  }
  return found
}

/** Empty if there is none. */
export function textAt(value: unknown, ...path: string[]): string {
  const found = at(value, ...path)
  return typeof found === 'string' ? found : ''
}

/** Null if there is none, or if it is not a finite number. */
export function numberAt(value: unknown, ...path: string[]): number | null {
  const found = at(value, ...path)
  return typeof found === 'number' && found >= 0 && found <= Number.MAX_SAFE_INTEGER ? found : null
}

/** Empty if there is none. */
export function listAt(value: unknown, ...path: string[]): unknown[] {
  const found = at(value, ...path)
  return Array.isArray(found) ? found : []
}
