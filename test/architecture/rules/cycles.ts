import { importsOf, type Source } from '../source.ts'

/** Groups of files that import each other in a circle, types included, imports at run time (`import()`) not. */
export function importCycles(sources: readonly Source[]): string[] {
  const targets = new Map(
    sources.map((source) => [
      source.path,
      importsOf(source).flatMap(({ target, isLazy }) => (target === null || isLazy ? [] : [target])),
    ]),
  )
  return circles([...targets.keys()], (path) => targets.get(path) ?? []).map(
    (files) => `these files import each other: ${files.sort().join(', ')}`,
  )
}

/** Tarjan's algorithm: the strongly connected components with more than one member, and files that import themselves. */
function circles(files: readonly string[], targetsOf: (file: string) => readonly string[]): string[][] {
  const found: string[][] = []
  const order = new Map<string, number>()
  const stack: string[] = []
  const visit = (file: string): number => {
    const own = order.size
    order.set(file, own)
    stack.push(file)
    let low = own
    for (const target of targetsOf(file)) {
      if (!order.has(target)) low = Math.min(low, visit(target))
      else if (stack.includes(target)) low = Math.min(low, order.get(target) ?? low)
    }
    if (low !== own) return low
    const members = stack.splice(stack.indexOf(file))
    if (members.length > 1 || targetsOf(file).includes(file)) found.push(members)
    return low
  }
  for (const file of files) if (!order.has(file)) visit(file)
  return found
}
