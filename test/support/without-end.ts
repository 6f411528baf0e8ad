const END = /^(?:completed|unverified|landed|failed|not landed|plan|found|inbox|cost|next): +\S/

/** What the check of the base prints when it begins and ends (scheduler/base-check.test.ts). */
const BASE = /^(?:Checking \S+ \(\w{7}\) |\S+ \(\w{7}\) (?:passes|fails) its checks \()/

/** What was printed besides the check of the base, and the report at the end of `work` and `run` (live-output/end-of-work.test.ts). */
export function withoutEnd(printed: string): string {
  return withoutEndLines(printed.split('\n')).join('\n')
}

export function withoutEndLines(lines: readonly string[]): string[] {
  return lines.filter((line) => !END.test(line) && !BASE.test(line))
}
