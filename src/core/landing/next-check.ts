/**
 * Which tree of a batch to verify next. A batch is a list of branches, each applied on top of the one before;
 * `verified` records for some of its prefixes, by length, whether their tree was green. The whole batch is tried first.
 * If it is red, bisection finds the first branch that turns a green prefix red. That branch is sent back, and the
 * branches before it may land, because exactly that tree was green. No branch is refused because of a base that is red
 * itself.
 */
export type Check =
  | { kind: 'verify'; length: number }
  | { kind: 'land'; length: number }
  /** The branch at `index` turned a green tree red; the `index` branches before it may land. */
  | { kind: 'failing'; index: number }
  | { kind: 'base-red' }

export function nextCheck(size: number, verified: ReadonlyMap<number, boolean>): Check {
  const whole = verified.get(size)
  if (whole === undefined) return { kind: 'verify', length: size }
  if (whole) return { kind: 'land', length: size }
  const { from: green, to: red } = redRange(verified)
  if (red - green > 1) return { kind: 'verify', length: green + Math.floor((red - green) / 2) }
  if (green > 0 || verified.get(0)) return { kind: 'failing', index: green }
  return verified.has(0) ? { kind: 'base-red' } : { kind: 'verify', length: 0 }
}

/** Where the branch is that turns a green prefix red: after `from`, and at most at `to`. Empty if nothing was red. */
export function redRange(verified: ReadonlyMap<number, boolean>): { from: number; to: number } {
  const to = Math.min(...lengths(verified, false).filter((length) => length > 0))
  if (to === Number.POSITIVE_INFINITY) return { from: 0, to: 0 }
  return { from: Math.max(0, ...lengths(verified, true).filter((length) => length < to)), to }
}

function lengths(verified: ReadonlyMap<number, boolean>, isGreen: boolean): number[] {
  return [...verified].flatMap(([length, green]) => (green === isGreen ? [length] : []))
}
