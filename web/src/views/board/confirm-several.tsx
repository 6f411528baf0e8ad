import { useState } from 'preact/hooks'
import type { Card, FormChoices } from '../../api/types.ts'
import { type Change, changeSeveral, isBusy } from './change-several.ts'

/** Something that is done only after its effect was named. */
export interface Confirmed {
  kind: 'work' | 'retry' | 'reset' | 'skip' | 'resume'
  label: string
  /** Those of the selected cards that it fits. */
  cards: readonly Card[]
  effect: string
  words: string
}

/** What fits the selected cards, each with those that it fits. */
export function confirmable(cards: readonly Card[]): Confirmed[] {
  const failed = cards.filter(({ column }) => column === 'failed')
  const held = cards.filter(({ on_hold }) => on_hold)
  const toDo = cards.filter(({ column }) => column === 'ready' || column === 'blocked')
  return [
    {
      ...{ kind: 'work', label: 'Start work', cards: toDo, words: 'Work was started on' },
      effect:
        'Starts agents on these tasks, in a process of its own that continues without this page. It waits for agents at their limit.',
    },
    {
      ...{ kind: 'retry', label: 'Retry', cards: failed, words: 'Being tried again' },
      effect: 'Tries each of them again on its branch, all at the same time, each in a process of its own.',
    },
    {
      ...{ kind: 'reset', label: 'Reset', cards: failed, words: 'Open again' },
      effect: 'Makes them ready again, and counts their attempts anew. No agent is started.',
    },
    {
      ...{ kind: 'skip', label: 'Skip', cards: failed, words: 'Skipped' },
      effect: 'Skips them: tasks that depend on them can run.',
    },
    {
      ...{ kind: 'resume', label: 'Resume', cards: held, words: 'No longer on hold' },
      effect: 'Continues what was put on hold: these tasks, and the whole group or plan of each.',
    },
  ].filter((each) => each.cards.length > 0) as Confirmed[]
}

interface Props {
  repository: string
  choices: FormChoices
  wanted: Confirmed
  close(): void
}

export function ConfirmSeveral({ repository, choices, wanted, close }: Props) {
  const { kind, label, cards, effect, words } = wanted
  const [agent, setAgent] = useState('')
  const [workers, setWorkers] = useState('')
  const confirm = async (): Promise<void> => {
    await changeSeveral(repository, cards, { change: changeOf(kind, agent, workers), words })
    close()
  }
  return (
    <fieldset class="confirm" aria-label={`Confirm: ${label}`}>
      <p>{effect}</p>
      {kind === 'work' && (
        <p class="buttons">
          <label>
            Agent{' '}
            <select value={agent} onChange={(event) => setAgent(event.currentTarget.value)}>
              <option value="">as each task has it</option>
              {choices.agents.map((name) => (
                <option key={name} value={name}>
                  {name}
                </option>
              ))}
            </select>
          </label>
          <label>
            Workers{' '}
            <input
              type="number"
              min="1"
              max="64"
              placeholder="1"
              value={workers}
              onInput={(event) => setWorkers(event.currentTarget.value)}
            />
          </label>
        </p>
      )}
      <p>
        The same in a terminal: <code>{commandsOf(kind, cards, agent, workers)}</code>
      </p>
      <button type="button" disabled={isBusy.value} onClick={confirm}>
        {label} ({cards.length})
      </button>
      <button type="button" class="quiet" onClick={close}>
        Cancel
      </button>
    </fieldset>
  )
}

function changeOf(kind: Confirmed['kind'], agent: string, workers: string): Change {
  if (kind === 'retry') return { kind }
  if (kind !== 'work') return { kind: 'resolve', resolution: kind }
  return { kind, ...(agent !== '' && { agent }), ...(workers !== '' && { workers: Number(workers) }) }
}

function commandsOf(kind: Confirmed['kind'], cards: readonly Card[], agent: string, workers: string): string {
  const numbers = cards.map(({ number }) => number)
  if (kind === 'retry') return numbers.map((number) => `gza retry ${number}`).join('; ')
  if (kind !== 'work') return numbers.map((number) => `gza resolve ${number} --${kind}`).join('; ')
  const flags = [agent === '' ? '' : ` --agent ${agent}`, workers === '' ? '' : ` --workers ${workers}`].join('')
  return `gza work ${numbers.join(' ')} --wait${flags}`
}
