import type { Expected } from '../../api/request.ts'
import type { InboxItem } from '../../api/types.ts'
import { ConfirmButton } from '../../parts/confirm-button.tsx'

/** What a command of an entry does, if the page can do it too. */
interface PageAction {
  command: string
  label: string
  effect: string
  action: string
  input: object
  /** What was shown of something that is not a task, or of more than a task. */
  seen?: object
}

const STARTED: Record<string, [label: string, effect: string]> = {
  retry: ['Retry', 'An agent continues with the task where the last attempt stopped. It costs what a run costs.'],
  work: ['Work on it', 'An agent starts to work on the task. It costs what a run costs.'],
  review: ['Have it reviewed', 'An agent judges the last commit. It costs what a run costs.'],
  improve: ['Improve it', 'An agent answers the last review on the branch of the task. It costs what a run costs.'],
  merge: ['Land it', 'Verifies the work on top of the base, and then moves the base forward.'],
}

interface Props {
  repository: string
  item: InboxItem
  /** What was shown of its task; null: it has none. */
  expected: Expected | null
  /** Of its work in the landing queue. */
  landingVersion: string | null
}

/** A button for each command of the entry that the page can give. */
export function FurtherActions({ repository, item, expected, landingVersion }: Props) {
  const actions = item.commands.flatMap((command) => actionOf(item, command, landingVersion) ?? [])
  if (actions.length === 0) return null
  return (
    <div class="buttons">
      {actions.map((each) => (
        <ConfirmButton key={each.command} repository={repository} {...each} {...(expected && { expected })} />
      ))}
    </div>
  )
}

function actionOf({ task, subject, detail }: InboxItem, command: string, version: string | null): PageAction | null {
  const [, word = '', ref = ''] = /^(?:gza|git tasks) (\S+) (\d+)(?: --review)?$/.exec(command) ?? []
  const started = STARTED[word]
  if (started !== undefined && task !== null) {
    const [label, effect] = started
    const plain = command.replace(/ --review$/, '')
    const seen = word === 'merge' && { seen: { seen: [{ ref, version: version ?? '' }] } }
    return { command: plain, label, effect, action: 'start', input: { command: word, refs: [ref] }, ...seen }
  }
  const [, agent] = /^(?:gza|git tasks) agents resume (\S+)$/.exec(command) ?? []
  if (agent !== undefined)
    return {
      ...{ command, label: 'Lift the pause', effect: LIFTED, action: 'lift-pause', input: { agent } },
      seen: { until: detail.match(MOMENT) ?? [] },
    }
  if (task !== null || subject === undefined || !/ resolve .* --skip$/.test(command)) return null
  return {
    command,
    label: 'Dismiss',
    effect: DISMISSED,
    action: 'resolve',
    input: { ref: subject, resolution: 'skip' },
    seen: { detail },
  }
}

/** The end of a pause, as its entry names it. */
const MOMENT = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g

const LIFTED = 'The agent is called again at once, although its limit may still hold.'
const DISMISSED = 'Removes the entry. Nothing else changes.'
