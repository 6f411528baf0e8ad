export interface Tally {
  passed: number
  failed: number
}

/**
 * What `bun test` counted: it ends with lines such as ` 4 pass` and ` 0 fail`, and a test may have printed similar
 * lines before. A file that cannot be loaded counts as a failure, and so does a run that failed without reporting any.
 */
export function readTally(code: number, output: string): Tally {
  const failed = lastCount(output, 'fail')
  return { passed: lastCount(output, 'pass'), failed: failed === 0 && code !== 0 ? 1 : failed }
}

function lastCount(output: string, word: string): number {
  const lines = output.matchAll(new RegExp(`^ *(\\d+) ${word}$`, 'gm'))
  return Number([...lines].at(-1)?.[1] ?? 0)
}
