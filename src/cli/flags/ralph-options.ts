import { command } from '../../core/sentence.ts'
import { UserError } from '../../core/user-error.ts'

export interface RalphFlags {
  ralph: boolean
  'max-iterations'?: number
}

export function ralphOptions(flags: RalphFlags): { ralph: boolean; maxIterations?: number } {
  const { ralph, 'max-iterations': maxIterations } = flags
  if (!ralph && maxIterations !== undefined) {
    const hint = command`work --ralph --max-iterations ${maxIterations}`
    throw new UserError('USAGE', '--max-iterations can only be used with --ralph', { hint, exitCode: 2 })
  }
  return { ralph, ...(maxIterations !== undefined && { maxIterations }) }
}
