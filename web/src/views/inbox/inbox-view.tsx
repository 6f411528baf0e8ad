import { useResource } from '../../api/resource.ts'
import type { InboxItem } from '../../api/types.ts'
import { keyOfEntry } from '../../frame/inboxes.tsx'
import { Empty, Shown } from '../../parts/states.tsx'
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
        {(items) => (
          <ul class="entries">
            {items.map((item) => (
              <InboxEntry key={keyOfEntry(item)} repository={repository} item={item} readOnly={readOnly} />
            ))}
          </ul>
        )}
      </Shown>
    </section>
  )
}

function NothingNeedsYou() {
  return (
    <Empty title="Nothing needs you">
      <p>Questions of agents, failures and work that cannot land appear here.</p>
    </Empty>
  )
}
