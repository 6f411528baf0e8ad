/** Each part gets the lines it needs. If there are too few, the parts take turns, line by line. */
export function shareLines(needs: readonly number[], room: number): number[] {
  const given = needs.map(() => 0)
  for (let left = room; left > 0; ) {
    const open = needs.map((_, at) => at).filter((at) => (given[at] ?? 0) < (needs[at] ?? 0))
    if (open.length === 0) break
    const each = Math.max(1, Math.min(...open.map((at) => (needs[at] ?? 0) - (given[at] ?? 0))))
    const turns = Math.max(1, Math.min(each, Math.floor(left / open.length)))
    for (const at of open.slice(0, left)) given[at] = (given[at] ?? 0) + turns
    left -= Math.min(open.length, left) * turns
  }
  return given
}
