import { z } from 'zod'
import {
  commit,
  count,
  flag,
  maybe,
  named,
  priority,
  status,
  TaskName,
  taskId,
  taskType,
  text,
  texts,
  time,
} from './fields.ts'
import { Task } from './task.ts'

export const GroupTasks = named('GroupTasks', 'The tasks of a group.', { group: maybe(text), tasks: z.array(Task) })

export const GroupCount = named('GroupCount', 'A group with its tasks counted.', {
  group: maybe(text),
  total: count,
  counts: named('StatusCounts', 'How many tasks have which status; blocked ones are pending.', {
    pending: count,
    in_progress: count,
    completed: count,
    failed: count,
    skipped: count,
  }),
  on_hold_count: count,
})

const milestone = {
  id: text,
  name: text,
  description: text,
  task_ids: texts,
  status: z.enum(['completed', 'failed', 'in_progress', 'pending']),
}
export const Milestone = named('Milestone', 'A milestone. Its tasks are named by key, or else by id.', milestone)
export const MilestoneProgress = named('MilestoneProgress', 'A milestone with its progress.', {
  ...milestone,
  total: count,
  completed: count,
  skipped: count,
  failed: count,
  in_progress: count,
  pending: count,
  on_hold_count: count,
  progress: text,
})

export const TreeLine = named('TreeLine', 'A line of the tree.', {
  id: taskId,
  number: count,
  parent: maybe(text),
  title: text,
  status,
  assigned_agent: maybe(text),
  agent_status: maybe(text),
  plan_file: maybe(text),
  on_hold: flag,
  depth: count,
  current: flag,
})
export const Position = named('Position', 'Where the work is now.', {
  position: maybe(TreeLine),
  path: z.array(TreeLine),
})

export const Graph = named('Graph', 'Tasks and what they depend on.', {
  tasks: z.array(
    named('GraphTask', 'A task of the graph.', {
      ...TaskName.shape,
      key: maybe(text),
      type: taskType,
      group: maybe(text),
      uid: text,
      on_hold: flag,
    }),
  ),
  edges: z.array(
    named('Edge', 'The task `id` depends on the task `needs_id`.', {
      id: taskId,
      needs_id: taskId,
      kind: z
        .enum(['after', 'depends_on', 'based_on', 'child'])
        .describe('The field that names it. `child`: it is a child of `id`'),
      origin: z.enum(['explicit', 'file', 'split', 'child']),
      origins: z.array(z.enum(['explicit', 'file', 'split', 'child'])),
    }),
  ),
  cycles: z.array(z.array(taskId)),
  around_id: maybe(taskId),
})

export const FoundTask = named('FoundTask', 'A task that was found by its text.', {
  ...TaskName.shape,
  key: maybe(text),
  type: taskType,
  ledger: text,
  field: z.enum(['title', 'criteria', 'content', 'note', 'file', 'artifact']),
  artifact: maybe(text),
  snippet: text,
  matches: z.array(z.array(count).length(2)).describe('Start and end in the snippet, in UTF-16 units'),
})

export const LedgerChange = named('LedgerChange', 'A change of the ledger.', {
  commit,
  parents: z.array(commit),
  at: time,
  mode: z.enum(['human', 'agent']),
  run: maybe(text),
  undoes: maybe(text),
  subject: text,
  by: text,
})

export const ShownText = named('ShownText', 'A text of a task.', {
  id: taskId,
  number: count,
  name: text,
  kind: text,
  copy: maybe(text),
  names: texts,
  text,
})

const ids = {
  current_task_id: maybe(text),
  current_task_ids: texts,
  in_flight_task_ids: texts,
  completed_task_ids: texts,
  failed_task_ids: texts,
}
export const Summary = named('Summary', 'The progress. Tasks are named by key, or else by id.', {
  total: count,
  pending: texts,
  in_progress: texts,
  completed: texts,
  failed: texts,
  blocked: texts,
  skipped: texts,
  ...ids,
  unverified: texts,
  progress: text,
  tasks: named('TaskCounts', 'The tasks, counted.', {
    total: count,
    completed: count,
    pending: count,
    in_progress: count,
    failed: count,
    progress: text,
  }),
  milestones: z.array(Milestone),
})
export const SummaryWithState = named('SummaryWithState', 'All fields of Summary, and the state that it sums up.', {
  ...Summary.shape,
  state: named('WorkflowState', 'All tasks and milestones.', {
    tasks: z.array(
      named('WorkflowTask', 'A task of the workflow.', {
        id: text,
        title: text,
        user_story: text,
        acceptance_criteria: texts,
        files_to_create: texts,
        files_to_modify: texts,
        test_files: texts,
        dependencies: texts,
        milestone_id: maybe(text),
        status,
        priority,
        estimated_complexity: z.enum(['low', 'medium', 'high']),
        attempts: count,
        max_attempts: count,
        implementation_notes: text,
        error: maybe(text),
        linear_issue_id: maybe(text),
      }),
    ),
    milestones: z.array(Milestone),
    ...ids,
  }),
})
