import type { Repositories } from '../api/types.ts'
import { Empty } from '../parts/states.tsx'
import { route } from '../route.ts'
import { AgentsView } from './agents/agents-view.tsx'
import { BoardView } from './board/board-view.tsx'
import { DiffView } from './diff/diff-view.tsx'
import { AddView } from './forms/add-view.tsx'
import { GraphView } from './graph/graph-view.tsx'
import { InboxView } from './inbox/inbox-view.tsx'
import { LandingView } from './landing/landing-view.tsx'
import { LiveView } from './live/live-view.tsx'
import { NumbersView } from './numbers/numbers-view.tsx'
import { TaskView } from './task/task-view.tsx'

interface Props {
  served: Repositories
  repository: Repositories['repositories'][number]
}

export function CurrentView({ served, repository: { id } }: Props) {
  const { view, ref } = route.value
  const context = { repository: id, readOnly: served.read_only }
  if (view === 'inbox') return <InboxView {...context} />
  if (view === 'board') return <BoardView {...context} />
  if (view === 'live') return <LiveView {...context} />
  if (view === 'graph') return <GraphView repository={id} />
  if (view === 'landing') return <LandingView {...context} />
  if (view === 'numbers') return <NumbersView repository={id} />
  if (view === 'agents') return <AgentsView {...context} />
  if (view === 'diff' && ref !== null) return <DiffView key={ref} {...context} taskRef={ref} />
  if (view === 'add') return <AddView {...context} />
  if (view === 'task' && ref !== null) return <TaskView key={ref} {...context} taskRef={ref} />
  return <Empty title="There is nothing at this address" />
}
