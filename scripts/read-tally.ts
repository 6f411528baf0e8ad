export interface Tally {
  passed: number
  failed: number
}

/**
 * What `bun test` counted: it closes with lines such as ` 4 pass` and ` 0 fail`, and a test may have printed the same
 * words before. A file that can't be loaded is among the failures; a run that ended badly without any is one.
 */
export function readTally(code: number, output: string): Tally {
  const failed = lastCount(output, 'fail')
  return { passed: lastCount(output, 'pass'), failed: failed === 0 && code !== 0 ? 1 : failed }
}

function lastCount(output: string, word: string): number {
  const lines = output.matchAll(new RegExp(`^ *(\\d+) ${word}$`, 'gm'))
  return Number([...lines].at(-1)?.[1] ?? 0)
}
