import type { RecoveryStep, RunStep } from '../core/run-steps.ts'
import type { Env } from './git.ts'

/**
 * Kills this process as `kill -9` would, where GZA_CRASH_AT names the step that was just passed. Without that variable
 * it does nothing: it is how the tests show what a restart makes of a worker that died there.
 */
export function passStep(env: Env, step: RunStep | RecoveryStep): void {
  if (env.GZA_CRASH_AT === step) process.kill(process.pid, 'SIGKILL')
}
