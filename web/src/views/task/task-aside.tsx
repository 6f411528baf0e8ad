import type { ComponentChildren } from 'preact'
import type { TaskPage } from '../../api/types.ts'
import { Link } from '../../parts/link.tsx'
import { StatusBadge, TaskLink } from '../../parts/task-link.tsx'
import { Ago } from '../../parts/time.tsx'
import { visibleText } from '../../parts/visible-text.ts'
import { pathTo } from '../../route.ts'

interface Props {
  repository: string
  page: TaskPage
}

/** What a task is, and what is around it. */
export function TaskAside({ repository, page }: Props) {
  const { task, commits, needed_by } = page
  const above = task.related.filter(({ kind }) => kind !== 'child')
  const parts = task.related.filter(({ kind }) => kind === 'child')
  return (
    <aside class="task-aside" aria-label="About this task">
      <Properties page={page} />
      <Tasks {...{ repository, title: 'Depends on', tasks: above }} />
      <Tasks {...{ repository, title: 'Needed by', tasks: needed_by }} />
      <Tasks {...{ repository, title: 'Parts', tasks: parts }} />
      {commits.length > 0 && (
        <section>
          <h2>Commits</h2>
          <ul class="commits">
            {commits.map(({ oid, subject, at }) => (
              <li key={oid}>
                <Link to={pathTo(repository, 'diff', task.number)}>
                  <code>{oid.slice(0, 10)}</code> {subject === null ? 'not in this clone' : visibleText(subject)}
                </Link>
                {at !== null && (
                  <span class="note">
                    {' '}
                    <Ago at={at} />
                  </span>
                )}
              </li>
            ))}
          </ul>
        </section>
      )}
    </aside>
  )
}

function Properties({ page: { task, queued } }: { page: TaskPage }) {
  const verdict = task.persons_verdict?.counts ? task.persons_verdict.verdict : task.final_verdict
  const all: [string, ComponentChildren][] = [
    ['Type', task.type],
    ['Priority', task.priority],
    ['Agent', task.assigned_agent ?? 'as configured'],
    ['Group', task.group],
    ['Milestone', task.milestone_id],
    ['Key', task.key],
    ['Attempts', task.max_attempts === null ? task.attempts : `${task.attempts} of ${task.max_attempts}`],
    ['Reviews', task.review_cycle === 0 ? null : `${task.review_cycle} of ${task.max_review_cycles ?? 'any number'}`],
    ['Verdict', verdict?.replaceAll('_', ' ').toLowerCase() ?? null],
    ['Branch', task.branch && <code>{task.branch}</code>],
    ['Landing', queued?.detail ?? null],
    ['Locks', task.locks.join(', ')],
    ['Plan', task.plan_file],
    ['Id', <code key="id">{task.id}</code>],
    ['Filed by', task.created_by],
    ['Filed', <Ago key="filed" at={task.created_at} />],
    ['Closed', task.closed_at && <Ago at={task.closed_at} />],
  ]
  return (
    <dl class="properties">
      {all
        .filter(([, value]) => value !== null && value !== '')
        .map(([name, value]) => (
          <div key={name} class="property">
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  )
}

const KINDS = { after: 'after it', depends_on: 'depends', based_on: 'with its result', parent: 'parent', child: 'part' }

interface TasksProps {
  repository: string
  title: string
  tasks: TaskPage['needed_by']
}

function Tasks({ repository, title, tasks }: TasksProps) {
  if (tasks.length === 0) return null
  return (
    <section>
      <h2>{title}</h2>
      <ul class="related">
        {tasks.map((other) => (
          <li key={other.id}>
            <TaskLink repository={repository} task={other} />
            <p class="facts">
              <StatusBadge status={other.status} /> <span>{KINDS[other.kind]}</span>
            </p>
          </li>
        ))}
      </ul>
    </section>
  )
}
