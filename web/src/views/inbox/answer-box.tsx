import type { Expected } from '../../api/request.ts'
import { Problem } from '../../parts/states.tsx'
import { useAction } from '../../parts/use-action.ts'
import { useDraft } from '../../parts/use-draft.ts'

interface Props {
  repository: string
  number: number
  /** Undefined: it is being read, and nothing can be sent. */
  expected: Expected | undefined
}

export function AnswerBox({ repository, number, expected }: Props) {
  const { run, isBusy, error } = useAction(repository)
  const { text, change, sent } = useDraft(`${repository} answer ${number}`)
  const send = async (event: Event): Promise<void> => {
    event.preventDefault()
    if (await run('answer', { ref: String(number), text }, expected)) sent(text)
  }
  return (
    <form class="answer" onSubmit={send}>
      <label>
        Your answer
        <textarea value={text} onInput={(event) => change(event.currentTarget.value)} rows={3} />
      </label>
      {error && <Problem error={error} />}
      <p class="send">
        <button type="submit" disabled={isBusy || expected === undefined || text.trim() === ''}>
          Answer
        </button>
        <span class="note">The task becomes ready again. The question and your answer are in the next prompt.</span>
      </p>
    </form>
  )
}
