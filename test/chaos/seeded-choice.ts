/** Random choices that a seed repeats. What they meet still depends on the speed of the machine. */
export interface Choice {
  /** From 0 to below the limit. */
  below(limit: number): number
  oneOf<T>(values: readonly [T, ...T[]]): T
  shuffled<T>(values: readonly T[]): T[]
  /** Independent choices for something that happens at the same time. */
  branch(): Choice
}

export function seededChoice(seed: number): Choice {
  let state = seed >>> 0
  // mulberry32
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return (mixed ^ (mixed >>> 14)) >>> 0
  }
  const below = (limit: number): number => next() % limit
  return {
    below,
    oneOf: (values) => values[below(values.length)] as (typeof values)[number],
    shuffled: (values) =>
      values
        .map((value) => ({ value, rank: next() }))
        .toSorted((a, b) => a.rank - b.rank)
        .map(({ value }) => value),
    branch: () => seededChoice(next()),
  }
}
