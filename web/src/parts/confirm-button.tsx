import { useState } from 'preact/hooks'
import type { Expected } from '../api/request.ts'
import { Problem } from './states.tsx'
import { useAction } from './use-action.ts'

interface Props extends Seen {
  repository: string
  label: string
  action: string
  input: object
  /** What follows from it. */
  effect: string
  /** The same in a terminal, if there is one command for it. */
  command?: string
  /** Called when it is done. */
  onDone?(): void
}

/** What is shown of that which is decided about. */
interface Seen {
  expected?: Expected | undefined
  /** Part of the input: of several tasks, or of more than a task. */
  seen?: object | undefined
}

/** Names the effect before anything is done. */
export function ConfirmButton({ repository, label, action, input, expected, seen, effect, command, onDone }: Props) {
  const { run, isBusy, error, isLate } = useAction(repository)
  const [asked, setAsked] = useState<Seen | null>(null)
  const now: Seen = { expected, seen }
  const act = async (): Promise<void> => {
    // What changes while a person reads the effect is refused. After that they have seen what is new.
    const decided = isLate ? now : (asked ?? now)
    if (!(await run(action, { ...input, ...decided.seen }, decided.expected))) return
    setAsked(null)
    onDone?.()
  }
  return (
    <>
      <button type="button" aria-expanded={asked !== null} onClick={() => setAsked(asked === null ? now : null)}>
        {label}
      </button>
      {asked !== null && (
        <fieldset class="confirm" aria-label={`Confirm: ${label}`}>
          <p>{effect}</p>
          {command !== undefined && (
            <p>
              The same in a terminal: <code>{command}</code>
            </p>
          )}
          <button type="button" disabled={isBusy} onClick={act}>
            {label}
          </button>
          <button type="button" class="quiet" onClick={() => setAsked(null)}>
            Cancel
          </button>
          {error && <Problem error={error} />}
        </fieldset>
      )}
    </>
  )
}
