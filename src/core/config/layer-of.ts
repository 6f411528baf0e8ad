import { canonicalKey } from './same-setting.ts'
import type { ConfigLayer, ConfigValues, Origin } from './settings.ts'

/** One value of a source, at its dotted key. */
export interface Leaf {
  key: string
  value: string | number | boolean | readonly string[]
  origin: Origin
}

/** Validated values as one layer, under their canonical names. */
export function layerOf(leaves: readonly Leaf[]): ConfigLayer {
  const values: Branch = {}
  for (const { key, value } of leaves) put(values, canonicalKey(key).split('.'), value)
  const origins = new Map(leaves.map(({ key, origin }) => [canonicalKey(key), origin]))
  return { values: values as ConfigValues, origins }
}

/** A setting to which a source gives different values under its two names. */
export function contradiction(leaves: readonly Leaf[]): [Leaf, Leaf] | null {
  const seen = new Map<string, Leaf>()
  for (const leaf of leaves) {
    const key = canonicalKey(leaf.key)
    const first = seen.get(key)
    if (first !== undefined && first.value !== leaf.value) return [first, leaf]
    seen.set(key, leaf)
  }
  return null
}

interface Branch {
  [key: string]: Branch | Leaf['value']
}

function put(branch: Branch, [first = '', ...rest]: string[], value: Leaf['value']): void {
  if (rest.length === 0) {
    branch[first] = value
    return
  }
  const below = Object.hasOwn(branch, first) ? branch[first] : undefined
  const next = typeof below === 'object' && !isList(below) ? below : {}
  branch[first] = next
  put(next, rest, value)
}

function isList(value: Branch | readonly string[]): value is readonly string[] {
  return Array.isArray(value)
}
