import { Problem } from '../../parts/states.tsx'
import { useAction } from '../../parts/use-action.ts'
import { useSavedState } from '../../parts/use-saved-state.ts'
import { go, pathTo } from '../../route.ts'
import { TaskForm } from './task-form.tsx'
import { addInput, NO_VALUES, type TaskValues } from './task-values.ts'

interface Props {
  repository: string
  readOnly: boolean
}

/** A new task. What was typed survives a reload until the task is filed. */
export function AddView({ repository, readOnly }: Props) {
  const { send, isBusy, error } = useAction(repository)
  const draft = useSavedState<TaskValues>(`${repository} new task`, () => NO_VALUES)
  const submit = async (): Promise<void> => {
    const filed = await send<{ number: number }>('add', addInput({ ...NO_VALUES, ...draft.value }))
    if (filed === null) return
    draft.drop()
    go(pathTo(repository, 'task', filed.value.number))
  }
  if (readOnly)
    return <Problem error={{ message: 'This server only shows', hint: 'It was started with --read-only.' }} />
  return (
    <section class="form-page">
      <h1>New task</h1>
      <TaskForm {...{ repository, submit }} values={{ ...NO_VALUES, ...draft.value }} change={draft.save}>
        {error && <Problem error={error} />}
        <div class="form-end">
          <button type="submit" disabled={isBusy}>
            File the task
          </button>
          {draft.isSaved && (
            <button type="button" class="quiet" onClick={draft.drop}>
              Clear the draft
            </button>
          )}
          <span class="note">
            The same in a terminal: <code>gza add</code>
          </span>
        </div>
      </TaskForm>
    </section>
  )
}
