import { importsOf, type Source } from '../source.ts'

/** The folders of `state` are separate stores: what they share is beside them. */
export function mixedStores(sources: readonly Source[]): string[] {
  return sources.flatMap((source) => {
    const own = storeOf(source.path)
    if (own === null) return []
    return importsOf(source)
      .filter(({ target }) => target !== null && (storeOf(target) ?? own) !== own)
      .map(
        ({ line, target }) =>
          `${source.path}:${line}: state/${own} does not import ${target}: what stores share is in src/state itself`,
      )
  })
}

function storeOf(path: string): string | null {
  return /^src\/state\/(\w+)\//.exec(path)?.[1] ?? null
}
