import { useState } from 'preact/hooks'
import type { Expected } from '../../api/request.ts'
import type { ResolveChoice } from '../../api/types.ts'
import { Problem } from '../../parts/states.tsx'
import { useAction } from '../../parts/use-action.ts'

interface Props {
  repository: string
  number: number
  choices: readonly ResolveChoice[]
  expected: Expected
}

/** Every choice of `gza resolve` for the task, with what follows from it and the command it equals. */
export function Resolutions({ repository, number, choices, expected }: Props) {
  const { run, isBusy, error, isLate } = useAction(repository)
  const [asked, setAsked] = useState<ResolveChoice['resolution'] | null>(null)
  const [seen, setSeen] = useState(expected)
  const [commit, setCommit] = useState('')
  const choice = choices.find(({ resolution }) => resolution === asked)
  const given = choice?.resolution === 'fixed' && commit.trim() !== '' ? commit.trim() : null
  const resolve = async (resolution: string): Promise<void> => {
    const input = { ref: String(number), resolution, ...(given !== null && { commit: given }) }
    // What changes while a person reads the effect is refused. After that they have seen what is new.
    if (await run('resolve', input, isLate ? expected : seen)) setAsked(null)
  }
  const ask = (resolution: ResolveChoice['resolution']): void => {
    setSeen(expected)
    setAsked(asked === resolution ? null : resolution)
  }
  return (
    <div class="resolutions">
      <div class="buttons">
        {choices.map(({ resolution, label, effect }) => (
          <button
            key={resolution}
            type="button"
            disabled={isBusy}
            title={effect}
            aria-expanded={asked === resolution}
            onClick={() => ask(resolution)}
          >
            {label}
          </button>
        ))}
      </div>
      {choice && (
        <fieldset class="confirm" aria-label={`Confirm: ${choice.label}`}>
          <p>{choice.effect}</p>
          {choice.resolution === 'fixed' && (
            <label>
              The commit with your work, if there is one{' '}
              <input value={commit} maxLength={200} onInput={(event) => setCommit(event.currentTarget.value)} />
            </label>
          )}
          <p>
            The same in a terminal:{' '}
            <code>{given === null ? choice.command : `${choice.command} --commit ${given}`}</code>
          </p>
          <button type="button" disabled={isBusy} onClick={() => resolve(choice.resolution)}>
            {choice.label}
          </button>
          <button type="button" class="quiet" onClick={() => setAsked(null)}>
            Cancel
          </button>
        </fieldset>
      )}
      {error && <Problem error={error} />}
    </div>
  )
}
