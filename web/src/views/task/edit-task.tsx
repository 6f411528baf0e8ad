import type { TaskPage } from '../../api/types.ts'
import { Problem } from '../../parts/states.tsx'
import { useAction } from '../../parts/use-action.ts'
import { useSavedState } from '../../parts/use-saved-state.ts'
import { TaskForm } from '../forms/task-form.tsx'
import { changedFields, editInput, type TaskValues, valuesOf } from '../forms/task-values.ts'

interface Props {
  repository: string
  page: TaskPage
  /** It was saved, or given up. */
  done: () => void
}

/** What a person has typed, and what they saw when they began: the change is refused if that is no longer so. */
interface Draft {
  values: TaskValues
  before: TaskValues
  version: string
}

/** Whether an edit of this task was begun in this tab. */
export function hasEditDraft(repository: string, number: number): boolean {
  return sessionStorage.getItem(`draft:${draftName(repository, number)}`) !== null
}

function draftName(repository: string, number: number): string {
  return `${repository} edit ${number}`
}

export function EditTask({ repository, page, done }: Props) {
  const { number } = page.task
  const { run, isBusy, error } = useAction(repository)
  const fresh = (): Draft => ({ values: valuesOf(page.task), before: valuesOf(page.task), version: page.version })
  const draft = useSavedState<Draft>(draftName(repository, number), fresh)
  const { values, before, version } = draft.value
  const end = (): void => {
    draft.drop()
    done()
  }
  const submit = async (): Promise<void> => {
    const input = { ref: String(number), ...editInput(before, values) }
    if (await run('edit', input, { ref: String(number), version })) end()
  }
  return (
    <section class="form-page">
      <h2>Edit</h2>
      <TaskForm
        {...{ repository, number, values, submit }}
        change={(next) => draft.save({ values: next, before, version })}
      >
        {version !== page.version && (
          <ChangedMeanwhile
            {...{ before, now: valuesOf(page.task) }}
            take={() => draft.save(rebased(draft.value, page))}
          />
        )}
        {error && <Problem error={error} />}
        <div class="form-end">
          <button type="submit" disabled={isBusy}>
            Save
          </button>
          <button type="button" class="quiet" onClick={end}>
            Cancel
          </button>
          <span class="note">
            The same in a terminal: <code>gza edit {number}</code>
          </span>
        </div>
      </TaskForm>
    </section>
  )
}

interface ChangedProps {
  before: TaskValues
  now: TaskValues
  take: () => void
}

/** Somebody else has changed the task while this person was typing. */
function ChangedMeanwhile({ before, now, take }: ChangedProps) {
  const names = changedFields(before, now)
  return (
    <div class="problem" role="status">
      <strong>The task has changed since you began to edit it.</strong>
      {names.length === 0 && <p>None of these fields is different.</p>}
      <dl class="newer">
        {names.map((name) => (
          <div key={name}>
            <dt>{name.replaceAll('_', ' ')} is now</dt>
            <dd>{wordsOf(now[name]) || 'empty'}</dd>
          </div>
        ))}
      </dl>
      <button type="button" class="quiet" onClick={take}>
        Keep what I typed, on top of the newer state
      </button>
    </div>
  )
}

function wordsOf(value: TaskValues[keyof TaskValues]): string {
  return typeof value === 'string' ? value : value.map(({ number }) => `#${number}`).join(', ')
}

/** The newer values, and over them what this person has changed. */
function rebased({ values, before }: Draft, { task, version }: TaskPage): Draft {
  const now = valuesOf(task)
  const own = Object.fromEntries(changedFields(before, values).map((name) => [name, values[name]]))
  return { values: { ...now, ...own }, before: now, version }
}
