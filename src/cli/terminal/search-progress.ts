import type { CallContext } from '../call-context.ts'
import { type Progress, progressLine } from './progress-line.ts'

/** Shows on a terminal that the texts are being brought up to date. */
export async function searchProgress({ err, isTerminal }: CallContext): Promise<{ progress?: Progress }> {
  return (await isTerminal(2)) ? { progress: progressLine(err, 'Reading texts to search in') } : {}
}
