import { signal } from '@preact/signals'
import { useState } from 'preact/hooks'
import { useResource } from '../../api/resource.ts'
import type { FormChoices, Started, WorkPlan } from '../../api/types.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { StartedList } from '../../parts/started-list.tsx'
import { Problem, Shown } from '../../parts/states.tsx'
import { useAction } from '../../parts/use-action.ts'
import { TaskPicker } from '../forms/task-picker.tsx'
import type { Chosen } from '../forms/task-values.ts'
import { DryRun, planPath } from './dry-run.tsx'

/** The tasks that were chosen when it was opened; null: it is closed. */
const opened = signal<readonly Chosen[] | null>(null)

/** Opens the dialog. Without tasks it proposes all that are ready. */
export function openStartWork(tasks: readonly Chosen[] = []): void {
  opened.value = tasks
}

export function StartDialog({ repository }: { repository: string }) {
  const choices = useResource<FormChoices>(repository, opened.value === null ? null : 'choices')
  if (opened.value === null) return null
  const chosen = opened.value
  return (
    <Dialog title="Start work" closed={() => (opened.value = null)}>
      <Shown read={choices.value}>
        {(known) =>
          known.not_trusted === null ? (
            <StartForm {...{ repository, choices: known, chosen }} />
          ) : (
            <NotTrusted why={known.not_trusted} />
          )
        }
      </Shown>
    </Dialog>
  )
}

function NotTrusted({ why }: { why: NonNullable<FormChoices['not_trusted']> }) {
  return (
    <>
      <Problem error={why} />
      <p class="note">
        No work can be started here until you have read the configuration and trusted it, in a terminal:
      </p>
      <pre class="content">gza trust</pre>
    </>
  )
}

/** What is to be started. */
export interface Order {
  refs: string[]
  agent: string
  workers: number
}

interface FormProps {
  repository: string
  choices: FormChoices
  chosen: readonly Chosen[]
}

function StartForm({ repository, choices, chosen }: FormProps) {
  const { send, isBusy, error } = useAction(repository, { isInWindow: true })
  const [isAll, setAll] = useState(chosen.length === 0)
  const [tasks, setTasks] = useState<Chosen[]>([...chosen])
  const [agent, setAgent] = useState('')
  const [workers, setWorkers] = useState(choices.workers)
  const [dry, setDry] = useState<Order | null>(null)
  const [started, setStarted] = useState<string | null>(null)
  const commands = useResource<Started[]>(repository, started === null ? null : 'started')
  const refs = isAll ? [] : tasks.map(({ number }) => String(number))
  const order: Order = { refs, agent, workers }
  // Another choice needs another dry run.
  const isShown = dry !== null && JSON.stringify(dry) === JSON.stringify(order)
  const isNothing = !isAll && tasks.length === 0
  const plan = useResource<WorkPlan>(repository, isShown ? planPath(order) : null)
  const start = async (): Promise<void> => {
    const seen = plan.value.value?.seen ?? []
    const input = { command: 'work', refs, workers, seen, ...(agent !== '' && { agent }) }
    const answer = await send<Started>('start', input)
    if (answer !== null) setStarted(answer.value.id)
  }
  if (started !== null) return <StartedList all={commands.value.value ?? []} id={started} />
  return (
    <form
      class="start-form"
      onSubmit={(event) => {
        event.preventDefault()
        if (isShown) void start()
        else setDry(order)
      }}
    >
      <fieldset>
        <legend>Which tasks</legend>
        <label>
          <input type="radio" name="which" checked={isAll} onChange={() => setAll(true)} /> All that are ready, until
          nothing is
        </label>
        <label>
          <input type="radio" name="which" checked={!isAll} onChange={() => setAll(false)} /> Only these
        </label>
        {!isAll && <TaskPicker {...{ repository, label: 'Tasks', chosen: tasks, choose: setTasks }} />}
      </fieldset>
      <label>
        Agent
        <select value={agent} onInput={(event) => setAgent(event.currentTarget.value)}>
          <option value="">as configured</option>
          {choices.agents.map((each) => (
            <option key={each} value={each}>
              {each}
            </option>
          ))}
        </select>
      </label>
      <label>
        How many at once
        <input
          type="number"
          min={1}
          max={64}
          value={workers}
          onInput={(event) => setWorkers(Math.max(1, Math.min(64, event.currentTarget.valueAsNumber || 1)))}
        />
      </label>
      <div class="wide">
        {isShown && <DryRun read={plan.value} />}
        {error && <Problem error={error} />}
        <p class="note">
          The same in a terminal: <code>{commandOf(order, !isShown)}</code>
        </p>
        <div class="form-end">
          <button type="submit" disabled={isBusy || isNothing || (isShown && plan.value.isReading)}>
            {isShown ? 'Start work' : 'Dry run'}
          </button>
          {isShown && (
            <span class="note">
              It continues when this page and its server are closed. Runs can be stopped in Live.
            </span>
          )}
        </div>
      </div>
    </form>
  )
}

function commandOf({ refs, agent, workers }: Order, isDry: boolean): string {
  const words = ['gza', 'work', ...(refs.length === 0 ? ['--all'] : refs), `--workers ${workers}`]
  return [...words, ...(agent === '' ? [] : [`--agent ${agent}`]), isDry ? '--dry-run' : '--wait'].join(' ')
}
