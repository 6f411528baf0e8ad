import type { SeveralResult } from '../../../src/web/actions/several.ts'
import type { describe } from '../../../src/web/answer-request.ts'
import type agents from '../../../src/web/resources/agents.ts'
import type board from '../../../src/web/resources/board.ts'
import type diff from '../../../src/web/resources/diff.ts'
import type entry from '../../../src/web/resources/entry.ts'
import type fileDiff from '../../../src/web/resources/file-diff.ts'
import type choices from '../../../src/web/resources/forms/choices.ts'
import type find from '../../../src/web/resources/forms/find.ts'
import type plan from '../../../src/web/resources/forms/plan.ts'
import type started from '../../../src/web/resources/forms/started.ts'
import type undo from '../../../src/web/resources/forms/undo.ts'
import type graph from '../../../src/web/resources/graph.ts'
import type inbox from '../../../src/web/resources/inbox.ts'
import type landing from '../../../src/web/resources/landing.ts'
import type landingPlan from '../../../src/web/resources/landing-plan.ts'
import type output from '../../../src/web/resources/output.ts'
import type { Resource } from '../../../src/web/resources/resource.ts'
import type reviews from '../../../src/web/resources/reviews.ts'
import type runs from '../../../src/web/resources/runs.ts'
import type stats from '../../../src/web/resources/stats.ts'
import type history from '../../../src/web/resources/task/history.ts'
import type pastPrompt from '../../../src/web/resources/task/past-prompt.ts'
import type prompt from '../../../src/web/resources/task/prompt.ts'
import type task from '../../../src/web/resources/task/task.ts'
import type text from '../../../src/web/resources/task/text.ts'
import type timeline from '../../../src/web/resources/task/timeline.ts'
import type worktreeSizes from '../../../src/web/resources/worktree-sizes.ts'
import type { TaskName } from '../../../src/workspace/views/views.ts'

/** What the server sends, by what its resources return: a renamed field is an error here. */
type Sent<R> = R extends Resource<infer T> ? NonNullable<Awaited<T>> : never

export type { SeveralResult, TaskName }
export type Repositories = ReturnType<typeof describe>

export type Board = Sent<typeof board>
export type BoardColumn = Board['columns']['ready']
export type Card = BoardColumn['cards'][number]
export type InboxItem = Sent<typeof inbox>[number]
export type EntryDetail = Sent<typeof entry>
export type ResolveChoice = EntryDetail['choices'][number]
export type TaskPage = Sent<typeof task>
export type Task = TaskPage['task']
export type Timeline = Sent<typeof timeline>
export type TimelineRun = Timeline[number]
export type TimelinePhase = TimelineRun['phases'][number]
export type History = Sent<typeof history>
export type NextPrompt = Sent<typeof prompt>
export type PastPrompt = Sent<typeof pastPrompt>
export type TaskText = Sent<typeof text>
export type FormChoices = Sent<typeof choices>
export type FoundTask = Sent<typeof find>[number]
export type WorkPlan = Sent<typeof plan>
export type Started = Sent<typeof started>[number]
export type RevertPreviews = Sent<typeof undo>
export type LiveRun = Sent<typeof runs>[number]
export type Output = Sent<typeof output>[number]
export type OutputLine = Output['lines'][number]
export type AgentEvent = OutputLine['events'][number]
export type Landing = Sent<typeof landing>
export type QueueItem = Landing['items'][number]
export type LandingPlan = Sent<typeof landingPlan>
export type Stats = Sent<typeof stats>
export type Totals = Stats['total']
export type WorktreeSizes = Sent<typeof worktreeSizes>
export type Agents = Sent<typeof agents>
export type Graph = Sent<typeof graph>
export type GraphNode = Graph['nodes'][number]
export type TaskDiff = Sent<typeof diff>
export type DiffedFile = TaskDiff['files'][number]
export type FileDiff = Sent<typeof fileDiff>
export type Review = Sent<typeof reviews>[number]
export type LineComment = Review['comments'][number]
