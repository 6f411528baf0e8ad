import type { Agents } from '../../api/types.ts'
import { TaskLink } from '../../parts/task-link.tsx'
import { Ago, Elapsed, lengthOf, present } from '../../parts/time.tsx'
import { Part, Table } from './part.tsx'

type Holder = Agents['holders'][number]

/** Who has which task, and until when. */
export function Holders({ repository, holders }: { repository: string; holders: readonly Holder[] }) {
  return (
    <Part title="Claims and runs" count={holders.length} empty="Nobody holds a task.">
      <Table
        title="Claims and runs"
        columns={['Holder', 'Holds', 'Since', 'Until', 'Last sign of life', 'Process']}
        rows={holders.map((holder) => ({
          key: holder.run,
          cells: [
            holder.holder,
            holder.task ? <TaskLink repository={repository} task={holder.task} /> : holder.what,
            <Elapsed since={holder.taken_at} />,
            untilOf(holder),
            <Ago at={holder.heartbeat_at} />,
            holder.pid === null ? '–' : `${holder.pid} on ${holder.machine}`,
          ],
        }))}
      />
    </Part>
  )
}

function untilOf({ expires_at, isAbandoned }: Holder) {
  if (isAbandoned)
    return <span class="badge status-failed">{expires_at === null ? 'its process died' : 'expired'}</span>
  if (expires_at === null) return 'its process ends'
  return (
    <time dateTime={expires_at} title={new Date(expires_at).toLocaleString()}>
      in {lengthOf(Date.parse(expires_at) - present.value)}
    </time>
  )
}
