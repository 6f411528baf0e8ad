/** The longest part that is kept of one failure, in lines. */
const MOST = 80

/** Finds what a test command printed about each failure, to be repeated at the end of a long output. */
export class FailedParts {
  readonly parts: string[][] = []
  #part: string[] = []
  readonly #seen = new Set<string>()

  read(line: string): void {
    this.#part.push(line)
    if (!/^\((pass|fail)\) /.test(line)) return
    // `bun test` names each failed test a second time, at its end.
    if (line.startsWith('(fail)') && !this.#seen.has(line)) {
      this.#seen.add(line)
      this.parts.push(this.#part.slice(-MOST))
    }
    this.#part = []
  }
}
