import { useState } from 'preact/hooks'
import type { TaskAction } from '../../../../src/core/drawing/possible-actions.ts'
import { useResource } from '../../api/resource.ts'
import type { FormChoices, TaskPage } from '../../api/types.ts'
import { Problem } from '../../parts/states.tsx'
import { useAction } from '../../parts/use-action.ts'
import { openStartWork } from '../start/start-dialog.tsx'
import { describeAction, type Extra } from './action-words.ts'

interface Props {
  repository: string
  page: TaskPage
  edit: () => void
}

/** What can be done about the task. Each choice names its effect and the same command before anything is done. */
export function TaskActions({ repository, page, edit }: Props) {
  const [asked, setAsked] = useState<TaskAction | null>(null)
  const { number } = page.task
  const ask = (action: TaskAction): void => {
    if (action === 'start') openStartWork([{ number, title: page.task.title }])
    else setAsked(action === asked ? null : action)
  }
  return (
    <div class="task-actions">
      <div class="buttons">
        {page.actions.map((action, at) => (
          <button
            key={action}
            type="button"
            class={at === 0 && action !== 'assign' ? 'first' : ''}
            aria-expanded={action === 'start' ? undefined : action === asked}
            onClick={() => ask(action)}
          >
            {describeAction(action, page.task).label}
          </button>
        ))}
        <button type="button" onClick={edit}>
          Edit
        </button>
      </div>
      {asked !== null && page.actions.includes(asked) && (
        <Confirmation key={asked} {...{ repository, page, action: asked }} close={() => setAsked(null)} />
      )}
    </div>
  )
}

interface ConfirmationProps {
  repository: string
  page: TaskPage
  action: TaskAction
  close: () => void
}

function Confirmation({ repository, page, action, close }: ConfirmationProps) {
  const { run, isBusy, error, isLate } = useAction(repository)
  const [extra, setExtra] = useState<Extra>({ agent: page.task.assigned_agent ?? '', guide: '', commit: '' })
  const { label, effect, command, name, input, fields } = describeAction(action, page.task, extra)
  const [asked] = useState(page)
  const act = async (): Promise<void> => {
    // What changes while a person reads the effect is refused. After that they have seen what is new.
    const { version, queued } = isLate ? page : asked
    const ref = String(page.task.number)
    const seen = action === 'land' && { seen: [{ ref, version: queued?.version ?? '' }] }
    if (await run(name, { ...input, ...seen }, { ref, version })) close()
  }
  return (
    <fieldset class="confirm" aria-label={`Confirm: ${label}`}>
      <p>{effect}</p>
      {fields.includes('agent') && <AgentField {...{ repository, extra, setExtra }} isNobody={action === 'assign'} />}
      {fields.includes('guide') && (
        <label>
          What to look at (optional)
          <textarea
            rows={2}
            value={extra.guide}
            onInput={(event) => setExtra({ ...extra, guide: event.currentTarget.value })}
          />
        </label>
      )}
      {fields.includes('commit') && (
        <label>
          The commit in which you did it (optional)
          <input
            type="text"
            value={extra.commit}
            onInput={(event) => setExtra({ ...extra, commit: event.currentTarget.value })}
          />
        </label>
      )}
      <p>
        The same in a terminal: <code>{command}</code>
      </p>
      {error && <Problem error={error} />}
      <div class="form-end">
        <button type="button" disabled={isBusy} onClick={act}>
          {label}
        </button>
        <button type="button" class="quiet" onClick={close}>
          Cancel
        </button>
      </div>
    </fieldset>
  )
}

interface AgentProps {
  repository: string
  extra: Extra
  setExtra: (extra: Extra) => void
  isNobody: boolean
}

function AgentField({ repository, extra, setExtra, isNobody }: AgentProps) {
  const agents = useResource<FormChoices>(repository, 'choices').value.value?.agents ?? []
  const all = extra.agent === '' || agents.includes(extra.agent) ? agents : [extra.agent, ...agents]
  return (
    <label>
      Agent{' '}
      <select value={extra.agent} onInput={(event) => setExtra({ ...extra, agent: event.currentTarget.value })}>
        <option value="">{isNobody ? 'nobody' : 'as configured'}</option>
        {all.map((agent) => (
          <option key={agent} value={agent}>
            {agent}
          </option>
        ))}
      </select>
    </label>
  )
}
