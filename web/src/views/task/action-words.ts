import type { TaskAction } from '../../../../src/core/drawing/possible-actions.ts'
import type { Task } from '../../api/types.ts'

/** What a person can add to an action. */
export interface Extra {
  agent: string
  guide: string
  commit: string
}

interface ActionWords {
  label: string
  /** What follows from it. */
  effect: string
  /** The same in a terminal. */
  command: string
  /** The action of the server, and what it is given. */
  name: string
  input: object
  fields: readonly (keyof Extra)[]
}

const NONE: Extra = { agent: '', guide: '', commit: '' }

export function describeAction(action: TaskAction, { number, branch }: Task, extra: Extra = NONE): ActionWords {
  const agent = extra.agent === '' ? {} : { agent: extra.agent }
  const withAgent = extra.agent === '' ? '' : ` --agent ${extra.agent}`
  const starting = (command: string, more: object = {}) => ({
    name: 'start',
    input: { command, refs: [String(number)], ...more },
  })
  const resolving = (resolution: string, label: string, effect: string): ActionWords => ({
    ...{ label, effect, command: `gza resolve ${number} --${resolution}`, name: 'resolve' },
    ...{ input: { ref: String(number), resolution }, fields: [] },
  })
  switch (action) {
    case 'start':
      return {
        ...{ label: 'Start work', effect: 'An agent works on it.', command: `gza work ${number}${withAgent}` },
        ...starting('work', agent),
        fields: ['agent'],
      }
    case 'stop':
      return {
        ...{ label: 'Stop', command: `gza kill ${number}`, name: 'stop', input: { ref: String(number) }, fields: [] },
        effect: 'Ends its run now. What the agent has done is kept on its branch, and the task stays open.',
      }
    case 'retry':
      return {
        ...{ label: 'Try again', command: `gza retry ${number}${withAgent}`, ...starting('retry', agent) },
        effect: 'Opens the task again and starts an agent on it now. It continues from the work that is there.',
        fields: ['agent'],
      }
    case 'review':
      return {
        ...{ label: 'Review', command: `gza review ${number}${withAgent}`, ...starting('review', agent) },
        effect: 'Files a review task for its work and starts an agent on that review now.',
        fields: ['agent'],
      }
    case 'improve':
      return {
        ...{ label: 'Improve', ...starting('improve', { ...agent, ...(extra.guide && { guide: extra.guide }) }) },
        command: `gza improve ${number}${extra.guide === '' ? '' : ' "…"'}${withAgent}`,
        effect: 'Files a task that acts on its last review, and a review after it. An agent starts on it now.',
        fields: ['guide', 'agent'],
      }
    case 'land':
      return {
        ...{ label: 'Land', command: `gza merge ${number}`, ...starting('merge'), fields: [] },
        effect: `Verifies ${branch ?? 'its work'} on top of its base, and then moves the base forward.`,
      }
    case 'reopen':
      return {
        ...{ label: 'Reopen', command: `gza edit ${number} --reopen`, name: 'edit', fields: [] },
        ...{
          input: { ref: String(number), reopen: true },
          effect: 'Makes the task pending, so that it is done again.',
        },
      }
    case 'assign':
      return {
        ...{ label: 'Assign', name: 'assign', input: { ref: String(number), agent: extra.agent || null } },
        command: `gza assign ${number} ${extra.agent || '--none'}`,
        effect: 'The task goes to this agent. If another one works on it now, that one loses it.',
        fields: ['agent'],
      }
    case 'fixed': {
      const words = resolving('fixed', 'I did it myself', 'Closes it as completed. What agents left does not land.')
      if (extra.commit === '') return { ...words, fields: ['commit'] }
      const input = { ...words.input, commit: extra.commit }
      return { ...words, input, command: `${words.command} --commit ${extra.commit}`, fields: ['commit'] }
    }
    case 'skip':
      return resolving('skip', 'Skip', 'Closes it as skipped. Tasks that depend on it can start.')
    case 'reset':
      return resolving('reset', 'Start anew', 'Opens it again, and counts its attempts from zero.')
    case 'abort':
      return resolving('abort', 'Stop its workflow', 'Puts it and the rest of its group or plan on hold.')
    case 'resume':
      return resolving('resume', 'Resume its workflow', 'Lifts the hold of it and of its group or plan.')
    default:
      return action satisfies never
  }
}
