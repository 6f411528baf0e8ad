const END = /^(?:completed|unverified|landed|failed|not landed|plan|found|inbox|cost|next): +\S/

/** What was printed besides the report at the end of `work` and `run` (live-output/end-of-work.test.ts). */
export function withoutEnd(printed: string): string {
  return withoutEndLines(printed.split('\n')).join('\n')
}

export function withoutEndLines(lines: readonly string[]): string[] {
  return lines.filter((line) => !END.test(line))
}
