import { useState } from 'preact/hooks'
import { PRIORITIES } from '../../../../src/core/task/task.ts'
import type { Board, Card, FormChoices } from '../../api/types.ts'
import { changeSeveral, isBusy, outcome } from './change-several.ts'
import { type Confirmed, ConfirmSeveral, confirmable } from './confirm-several.tsx'
import { setPriority } from './priority.ts'
import { clear, selected } from './selection.ts'

interface Props {
  repository: string
  board: Board
  choices: FormChoices
}

/** What can be done to the selected cards, and what became of it. */
export function SelectionBar({ repository, board, choices }: Props) {
  const cards = Object.values(board.columns)
    .flatMap((column) => column.cards)
    .filter(({ id }) => selected.value.has(id))
  return (
    <div class="dock">
      <OutcomeLines />
      {cards.length > 0 && <Actions {...{ repository, cards, choices }} />}
    </div>
  )
}

/** It is always there, so that a screen reader hears of what comes into it. */
function OutcomeLines() {
  const { done, refused } = outcome.value ?? { done: '', refused: [] }
  const isShown = outcome.value !== null
  return (
    <div class={isShown ? 'outcome' : 'hidden'} role="status">
      {done !== '' && <p>{done}</p>}
      {refused.length > 0 && (
        <ul>
          {refused.map(({ name, why }) => (
            <li key={name}>
              <strong>{name}</strong>: {why}
            </li>
          ))}
        </ul>
      )}
      {isShown && (
        <button type="button" class="quiet" onClick={() => (outcome.value = null)}>
          Close
        </button>
      )}
    </div>
  )
}

interface ActionsProps {
  repository: string
  cards: readonly Card[]
  choices: FormChoices
}

function Actions({ repository, cards, choices }: ActionsProps) {
  const [asked, setAsked] = useState<Confirmed['kind'] | null>(null)
  const confirmed = confirmable(cards)
  const open = confirmed.find(({ kind }) => kind === asked)
  return (
    <section class="actions" aria-label="Selected cards" aria-busy={isBusy.value}>
      {open && (
        <ConfirmSeveral key={open.kind} {...{ repository, choices }} wanted={open} close={() => setAsked(null)} />
      )}
      <div class="buttons">
        <strong>{cards.length} selected</strong>
        <Choice
          label="Set priority"
          names={PRIORITIES}
          choose={(name) => void setPriority(repository, cards, name as (typeof PRIORITIES)[number])}
        />
        <GroupForm {...{ repository, cards, choices }} />
        <Choice
          label="Assign to"
          names={[...choices.agents, NOBODY]}
          choose={(name) => {
            const agent = name === NOBODY ? null : name
            const words = agent === null ? 'Assigned to nobody' : `Assigned to ${agent}`
            void changeSeveral(repository, cards, { change: { kind: 'assign', agent }, words })
          }}
        />
        {confirmed.map(({ kind, label }) => (
          <button key={kind} type="button" aria-expanded={asked === kind} onClick={() => setAsked(kind)}>
            {label}
          </button>
        ))}
        <button type="button" class="quiet" onClick={clear}>
          End selection
        </button>
      </div>
    </section>
  )
}

const NOBODY = 'nobody'

/** A menu whose choice is done at once. */
function Choice({ label, names, choose }: { label: string; names: readonly string[]; choose(name: string): void }) {
  return (
    <select
      aria-label={label}
      value=""
      disabled={isBusy.value}
      onChange={(event) => {
        const { value } = event.currentTarget
        event.currentTarget.value = ''
        choose(value)
      }}
    >
      <option value="" disabled>
        {label}…
      </option>
      {names.map((name) => (
        <option key={name} value={name}>
          {name}
        </option>
      ))}
    </select>
  )
}

function GroupForm({ repository, cards, choices }: ActionsProps) {
  const [group, setGroup] = useState('')
  const words = group === '' ? 'Now without a group' : `Now in ${group}`
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        void changeSeveral(repository, cards, { change: { kind: 'group', group }, words })
      }}
    >
      <input
        aria-label="Group"
        placeholder="Group (empty: none)"
        list="board-groups"
        value={group}
        onInput={(event) => setGroup(event.currentTarget.value)}
      />
      <datalist id="board-groups">
        {choices.groups.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <button type="submit" disabled={isBusy.value}>
        Set group
      </button>
    </form>
  )
}
