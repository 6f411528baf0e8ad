import type { ImportStep, LandStep, LinkStep, RecoveryStep, RunStep } from '../../core/run/named-steps.ts'
import type { Env } from '../git/git.ts'

const passed = new Map<string, number>()

/**
 * Kills this process like `kill -9`, if GZA_CRASH_AT names the step that was just passed; `heard:3` is the third time,
 * because a run with reviews passes some steps in every phase. Without that variable it does nothing. The tests use it
 * to show what a restart does after a worker died there.
 */
export function passStep(env: Env, step: RunStep | RecoveryStep | LandStep | LinkStep | ImportStep): void {
  if (env.GZA_CRASH_AT === undefined) return
  const times = (passed.get(step) ?? 0) + 1
  passed.set(step, times)
  if (env.GZA_CRASH_AT === step || env.GZA_CRASH_AT === `${step}:${times}`) process.kill(process.pid, 'SIGKILL')
}
