import { useState } from 'preact/hooks'
import type { Expected } from '../api/request.ts'
import { Problem } from './states.tsx'
import { useAction } from './use-action.ts'

interface Props {
  repository: string
  label: string
  action: string
  input: object
  expected?: Expected
  /** What follows from it. */
  effect: string
  /** The same in a terminal, if there is one command for it. */
  command?: string
  /** Called when it is done. */
  onDone?(): void
}

/** Names the effect before anything is done. */
export function ConfirmButton({ repository, label, action, input, expected, effect, command, onDone }: Props) {
  const { run, isBusy, error } = useAction(repository)
  const [isAsked, setAsked] = useState(false)
  return (
    <>
      <button type="button" aria-expanded={isAsked} onClick={() => setAsked(!isAsked)}>
        {label}
      </button>
      {isAsked && (
        <fieldset class="confirm" aria-label={`Confirm: ${label}`}>
          <p>{effect}</p>
          {command !== undefined && (
            <p>
              The same in a terminal: <code>{command}</code>
            </p>
          )}
          <button
            type="button"
            disabled={isBusy}
            onClick={async () => {
              if (!(await run(action, input, expected))) return
              setAsked(false)
              onDone?.()
            }}
          >
            {label}
          </button>
          <button type="button" class="quiet" onClick={() => setAsked(false)}>
            Cancel
          </button>
          {error && <Problem error={error} />}
        </fieldset>
      )}
    </>
  )
}
