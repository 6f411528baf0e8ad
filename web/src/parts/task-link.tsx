import type { TaskName } from '../api/types.ts'
import { pathTo } from '../route.ts'
import { Link } from './link.tsx'
import { visibleText } from './visible-text.ts'

export function TaskLink({ repository, task }: { repository: string; task: Pick<TaskName, 'number' | 'title'> }) {
  return (
    <Link to={pathTo(repository, 'task', task.number)} class="task-link">
      <span class="number">#{task.number}</span> {visibleText(task.title)}
    </Link>
  )
}

export function StatusBadge({ status }: { status: string }) {
  return <span class={`badge status-${status}`}>{status.replaceAll('_', ' ')}</span>
}
