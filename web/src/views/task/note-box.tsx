import type { Expected } from '../../api/request.ts'
import { Problem } from '../../parts/states.tsx'
import { useAction } from '../../parts/use-action.ts'
import { useDraft } from '../../parts/use-draft.ts'

interface Props {
  repository: string
  number: number
  expected: Expected
}

export function NoteBox({ repository, number, expected }: Props) {
  const { run, isBusy, error } = useAction(repository)
  const { text, change, sent } = useDraft(`${repository} note ${number}`)
  const send = async (event: Event): Promise<void> => {
    event.preventDefault()
    if (await run('note', { ref: String(number), text }, expected)) sent(text)
  }
  return (
    <form class="answer" onSubmit={send}>
      <label>
        Add a note
        <textarea value={text} onInput={(event) => change(event.currentTarget.value)} rows={3} />
      </label>
      {error && <Problem error={error} />}
      <button type="submit" disabled={isBusy || text.trim() === ''}>
        Add note
      </button>
    </form>
  )
}
