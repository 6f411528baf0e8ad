import { useRef, useState } from 'preact/hooks'
import { useResource } from '../../api/resource.ts'
import type { InboxItem } from '../../api/types.ts'
import { Empty, Loading, Shown } from '../../parts/states.tsx'
import { route } from '../../route.ts'
import { InboxEntry } from './inbox-entry.tsx'

interface Props {
  repository: string
  readOnly: boolean
}

export function InboxView({ repository, readOnly }: Props) {
  const read = useResource<InboxItem[]>(repository, 'inbox')
  return (
    <section class="inbox">
      <h1>Needs you</h1>
      <Shown read={read.value} empty={(items) => (items.length === 0 ? <NothingNeedsYou /> : null)}>
        {(items) => <Entries key={repository} {...{ repository, readOnly, items }} />}
      </Shown>
    </section>
  )
}

/** Each entry is read by itself, so no more are shown at once. */
const FIRST = 20

function Entries({ repository, readOnly, items }: Props & { items: readonly InboxItem[] }) {
  const [most, setMost] = useState(FIRST)
  const [read, setRead] = useState<ReadonlySet<string>>(new Set())
  const before = useRef(new Set<string>())
  const keys = keysOf(items)
  const wanted = route.value.ref === null ? -1 : items.findIndex(({ task }) => String(task?.number) === route.value.ref)
  const count = Math.max(most, wanted + 1)
  // From the top on, up to the first one that is still being read; what was shown once stays.
  const end = keys.findIndex((key) => !read.has(key))
  const isShown = (key: string, at: number): boolean =>
    read.has(key) && (end < 0 || at < end || before.current.has(key))
  const shown = keys.slice(0, count).filter(isShown)
  before.current = new Set(shown)
  return (
    <>
      <ul class="entries">
        {items.slice(0, count).map((item, at) => {
          const key = keys[at] as string
          return (
            <InboxEntry
              key={key}
              {...{ repository, item, readOnly }}
              isShown={isShown(key, at)}
              onRead={() => setRead((now) => new Set(now).add(key))}
            />
          )
        })}
      </ul>
      {shown.length === 0 && <Loading />}
      {items.length > count && (
        <button type="button" class="quiet more" onClick={() => setMost(count + FIRST)}>
          {`Show more (${items.length - count} are left)`}
        </button>
      )}
    </>
  )
}

/** An entry stays the same while what it says changes, so that a person's choice in it is not lost. */
function keysOf(items: readonly InboxItem[]): string[] {
  const counts = new Map<string, number>()
  return items.map(({ code, task, subject }) => {
    const name = [code, task?.id, subject].join(' ')
    const count = (counts.get(name) ?? 0) + 1
    counts.set(name, count)
    return `${name} ${count}`
  })
}

function NothingNeedsYou() {
  return (
    <Empty title="Nothing needs you">
      <p>Questions of agents, failures and work that cannot land appear here.</p>
    </Empty>
  )
}
