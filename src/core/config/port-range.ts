/** Ports for things that agents and checks start: each slot has some of its own. */
export interface PortRange {
  first: number
  last: number
}

/** How many ports a slot has. */
const PORTS_PER_SLOT = 10

/** `20000-24999`; null if it is not a range with room for at least one slot. */
export function readPortRange(text: string): PortRange | null {
  const [, first, last] = /^\s*(\d{4,5})\s*-\s*(\d{4,5})\s*$/.exec(text) ?? []
  if (first === undefined || last === undefined) return null
  const range = { first: Number(first), last: Number(last) }
  return range.first >= 1024 && range.last <= 65535 && slotsIn(range) > 0 ? range : null
}

/** The range of a configuration, which was checked when it was read. */
export function portRange(text: string): PortRange {
  const range = readPortRange(text)
  if (range === null) throw new Error(`${text} is not a range of ports`)
  return range
}

function slotsIn({ first, last }: PortRange): number {
  return Math.floor((last - first + 1) / PORTS_PER_SLOT)
}

/** The first port of a slot. Beyond the end of the range, slots share ports. */
export function portsOf(range: PortRange, slot: number): number {
  return range.first + ((slot - 1) % slotsIn(range)) * PORTS_PER_SLOT
}
