import { useState } from 'preact/hooks'
import { useResource } from '../../api/resource.ts'
import type { Landing, QueueItem } from '../../api/types.ts'
import { ConfirmButton } from '../../parts/confirm-button.tsx'
import { Empty, Shown } from '../../parts/states.tsx'
import { DryRun } from './dry-run.tsx'
import { LandingNow } from './landing-now.tsx'
import { QueueSection } from './queue-section.tsx'

interface Props {
  repository: string
  readOnly: boolean
}

export function LandingView({ repository, readOnly }: Props) {
  const read = useResource<Landing>(repository, 'landing')
  return (
    <section class="landing">
      <h1>Landing</h1>
      <Shown read={read.value}>{(landing) => <Queue {...{ repository, readOnly, landing }} />}</Shown>
    </section>
  )
}

/** The codes of each part of the queue. Every other code is a reason why something cannot land. */
const READY: ReadonlySet<string> = new Set(['READY', 'VERIFYING', 'BISECTING', 'LANDING'])
const REFUSED: ReadonlySet<string> = new Set(['SENT_BACK', 'LAND_RED', 'LAND_CONFLICT'])
const CHECKOUT: ReadonlySet<string> = new Set(['CHECKOUT_DIRTY', 'CHECKOUT_LOCKED'])

function Queue({ repository, readOnly, landing }: Props & { landing: Landing }) {
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set())
  const { base, items, verify } = landing
  const having = (codes: ReadonlySet<string>) => items.filter(({ code }) => codes.has(code))
  const [ready, refused, held] = [having(READY), having(REFUSED), having(CHECKOUT)]
  const rest = items.filter(({ code }) => !READY.has(code) && !REFUSED.has(code) && !CHECKOUT.has(code))
  const landable = [...ready.filter(({ code }) => code === 'READY'), ...held]
  const selected = landable.filter(({ number }) => chosen.has(number))
  const toggle = (number: number): void => {
    const next = new Set(chosen)
    if (!next.delete(number)) next.add(number)
    setChosen(next)
  }
  const section = { repository, base }
  const choice = readOnly ? {} : { chosen, toggle }
  const named = readOnly ? {} : { checked: whatIsChecked(verify) }
  return (
    <>
      <LandingNow {...{ repository, landing }} />
      {items.length === 0 && (
        <Empty title="Nothing waits to land">
          <p>Work that agents have finished is here until it is in {base}.</p>
        </Empty>
      )}
      {!readOnly && landable.length > 0 && <LandButtons {...{ repository, landing, landable, selected }} />}
      <QueueSection
        {...{ ...section, ...choice, items: held, title: 'Verified, but the checkout is in the way', isOrdered: true }}
        note={`${base} has not moved. Commit or stash what is changed there, then land again.`}
      />
      <QueueSection {...{ ...section, ...choice, items: ready, title: 'To land, in this order', isOrdered: true }} />
      <QueueSection {...{ ...section, ...named, items: refused, title: 'Sent back' }} />
      <QueueSection
        {...{
          ...section,
          ...named,
          items: rest.filter(({ canBeNamed }) => canBeNamed),
          title: 'Land only if you say so',
        }}
      />
      <QueueSection
        {...{ ...section, items: rest.filter(({ canBeNamed }) => !canBeNamed), title: 'Cannot land yet' }}
      />
    </>
  )
}

interface LandButtonsProps {
  repository: string
  landing: Landing
  landable: readonly QueueItem[]
  selected: readonly QueueItem[]
}

function LandButtons({ repository, landing: { base, verify }, landable, selected }: LandButtonsProps) {
  const isAll = selected.length === 0 || landable.length === 1
  const wanted = isAll ? landable : selected
  const numbers = wanted.map(({ number }) => number)
  const label = isAll && landable.length > 1 ? `Land all ${landable.length}` : `Land ${names(numbers)}`
  const effect = `Applies ${names(numbers)} to ${base} in this order. ${whatIsChecked(verify)} Then ${base} moves forward; what fails goes back to its agent.`
  const refs = numbers.map(String)
  return (
    <div class="land-buttons">
      <ConfirmButton
        key={refs.join()}
        {...{ repository, label, effect, action: 'start', input: { command: 'merge', refs } }}
        seen={{ seen: wanted.map(({ number, version }) => ({ ref: String(number), version })) }}
        command={`gza merge ${refs.join(' ')}`}
      />
      <DryRun {...{ repository, refs }} />
    </div>
  )
}

function whatIsChecked(verify: string | null): string {
  return verify === null ? 'No check is configured, so nothing is verified.' : `Runs "${verify}" on it.`
}

function names(numbers: readonly number[]): string {
  const shown = numbers.slice(0, 8).map((number) => `#${number}`)
  return numbers.length > 8 ? `${shown.join(', ')} and ${numbers.length - 8} more` : shown.join(', ')
}
