import { useResource } from '../../api/resource.ts'
import type { WorkPlan } from '../../api/types.ts'
import { Shown } from '../../parts/states.tsx'
import type { Order } from './start-dialog.tsx'

/** What would run, in which order, and why other tasks would not. Nothing is started by it. */
export function DryRun({ repository, order }: { repository: string; order: Order }) {
  const query = new URLSearchParams([
    ...order.refs.map((ref) => ['ref', ref]),
    ...[['agent', order.agent]].filter(([, value]) => value !== ''),
    ...[['workers', String(order.workers)]],
  ] as [string, string][])
  const read = useResource<WorkPlan>(repository, `plan?${query}`)
  return (
    <section class="dry-run" aria-label="Dry run">
      <h2>Dry run</h2>
      <Shown read={read.value}>
        {({ batches, not_run }) => (
          <>
            {batches.length === 0 && <p>Nothing would run.</p>}
            {batches.map((batch, at) => (
              <section key={at}>
                <h3>Batch {at + 1}</h3>
                <ul>
                  {batch.map((run) => (
                    <li key={run.id}>
                      <span class="number">#{run.number}</span> {run.title}{' '}
                      <span class="note">{[run.agent, run.model, run.branch].filter(Boolean).join(', ')}</span>
                    </li>
                  ))}
                </ul>
              </section>
            ))}
            <NotRun tasks={not_run.filter(({ code }) => code !== 'READY')} />
          </>
        )}
      </Shown>
    </section>
  )
}

const MOST = 50

function NotRun({ tasks }: { tasks: WorkPlan['not_run'] }) {
  if (tasks.length === 0) return null
  return (
    <details>
      <summary>{tasks.length} would not run</summary>
      <ul>
        {tasks.slice(0, MOST).map((task) => (
          <li key={task.id}>
            <span class="number">#{task.number}</span> {task.title} <span class="note">{task.detail}</span>
          </li>
        ))}
      </ul>
    </details>
  )
}
