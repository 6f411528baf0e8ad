import { type Leaf, layerOf } from '../../src/core/config/layer-of.ts'
import type { ConfigLayer, Origin } from '../../src/core/config/settings.ts'

/** A source with these values, each on the line of its place among them. */
export function aLayer(file: string, values: Record<string, Leaf['value']>): ConfigLayer {
  return layerOf(Object.entries(values).map(([key, value], at) => ({ key, value, origin: inFile(file, at + 1) })))
}

export function inFile(file: string, line: number): Origin {
  return { kind: file === 'gza.yaml' || file === '.project-config.json' ? 'project' : 'user', file, line }
}
