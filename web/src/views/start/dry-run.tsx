import type { Read } from '../../api/resource.ts'
import type { WorkPlan } from '../../api/types.ts'
import { Shown } from '../../parts/states.tsx'
import { visibleText } from '../../parts/visible-text.ts'
import type { Order } from './start-dialog.tsx'

/** Where the dry run of an order is read. */
export function planPath(order: Order): string {
  const query = new URLSearchParams([
    ...order.refs.map((ref) => ['ref', ref]),
    ...[['agent', order.agent]].filter(([, value]) => value !== ''),
    ...[['workers', String(order.workers)]],
  ] as [string, string][])
  return `plan?${query}`
}

/** What would run, in which order, and why other tasks would not. Nothing is started by it. */
export function DryRun({ read }: { read: Read<WorkPlan> }) {
  return (
    <section class="dry-run" aria-label="Dry run">
      <h2>Dry run</h2>
      <Shown read={read}>
        {({ batches, not_run }) => (
          <>
            {batches.length === 0 && <p>Nothing would run.</p>}
            {batches.map((batch, at) => (
              <section key={at}>
                <h3>Batch {at + 1}</h3>
                <ul>
                  {batch.map((run) => (
                    <li key={run.id}>
                      <span class="number">#{run.number}</span> {visibleText(run.title)}{' '}
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
            <span class="number">#{task.number}</span> {visibleText(task.title)}{' '}
            <span class="note">{visibleText(task.detail)}</span>
          </li>
        ))}
      </ul>
    </details>
  )
}
