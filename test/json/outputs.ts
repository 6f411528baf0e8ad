import { z } from 'zod'
import * as fleet from './schemas/fleet.ts'
import * as look from './schemas/look.ts'
import * as plan from './schemas/plan.ts'
import * as setUp from './schemas/set-up.ts'
import { ShownTask, Task } from './schemas/task.ts'
import * as watch from './schemas/watch.ts'
import * as work from './schemas/work.ts'

/** What each command prints with --json. The same schemas check the output in tests and make docs/json.md. */

interface Output {
  /** In which cases, if a command has several outputs. */
  when?: string
  schema: z.ZodType
  /** It is checked where there is one: `npm run test:fleet`. */
  needs?: 'PostgreSQL'
}

const tasks = z.array(Task)
const one = (schema: z.ZodType): Output[] => [{ schema }]

export const OUTPUTS: Record<string, readonly Output[]> = {
  add: one(Task),
  edit: one(Task),
  delete: one(tasks),
  restore: [
    { when: 'restore ID', schema: tasks },
    { when: 'restore', schema: z.array(plan.DeletedTask) },
    { when: 'restore --lost', schema: z.array(plan.RestoredLedger) },
  ],
  move: one(plan.Moved),
  undo: one(plan.Undone),
  redo: one(plan.Redone),
  import: one(plan.Imported),
  plan: one(plan.PlanImport),
  breakdown: one(plan.PlanImport),
  score: [
    { when: 'score ID', schema: plan.Scored },
    { when: 'score FILE', schema: z.array(plan.Scored) },
  ],
  split: one(plan.Split),
  todo: [
    { when: 'todo', schema: z.array(plan.TodoItem) },
    { when: 'todo start N', schema: tasks },
    { when: 'todo done N, todo link N ID', schema: plan.TodoItem },
  ],
  archive: one(tasks),
  list: one(tasks),
  ready: one(tasks),
  next: one(tasks),
  show: [
    { when: 'show ID', schema: ShownTask },
    { when: 'show ID --text', schema: look.ShownText },
  ],
  status: one(z.array(look.GroupTasks)),
  groups: one(z.array(look.GroupCount)),
  milestones: one(z.array(look.MilestoneProgress)),
  tree: one(z.array(look.TreeLine)),
  where: one(look.Position),
  graph: one(look.Graph),
  log: one(z.array(look.LedgerChange)),
  search: one(z.array(look.FoundTask)),
  query: one(
    z.array(z.record(z.string(), z.union([z.string(), z.number(), z.null()]))).describe('The rows of the query'),
  ),
  done: one(tasks),
  note: one(Task),
  ask: one(Task),
  claim: one(z.union([work.Claimed, z.null()]).describe('Null with exit code 1: nothing is ready')),
  release: one(Task),
  agents: [
    { when: 'agents', schema: z.array(work.PausableAgent) },
    { when: 'agents add', schema: work.Agent },
    { when: 'agents remove', schema: work.RemovedAgent },
    { when: 'agents resume', schema: work.ResumedAgent },
  ],
  assign: one(Task),
  context: [
    { when: 'context', schema: setUp.Context },
    { when: 'context --hook', schema: setUp.Hook },
  ],
  work: [
    { when: 'work', schema: work.Worked },
    { when: 'work --dry-run', schema: work.WorkPlan },
    { when: 'work --fleet', schema: fleet.FollowedWork, needs: 'PostgreSQL' },
  ],
  retry: one(work.Worked),
  review: one(work.Worked),
  improve: one(work.Worked),
  run: one(work.RanInTree),
  kill: one(watch.KilledRun),
  fleet: [
    { when: 'fleet init', schema: fleet.FleetSetUp, needs: 'PostgreSQL' },
    { when: 'fleet worker', schema: fleet.WorkerEnd, needs: 'PostgreSQL' },
    { when: 'fleet status', schema: fleet.FleetStatus, needs: 'PostgreSQL' },
    { when: 'fleet drain, remove, pause, resume', schema: fleet.FleetChange, needs: 'PostgreSQL' },
    { when: 'fleet leave', schema: fleet.FleetLeft, needs: 'PostgreSQL' },
    { when: 'fleet migrate', schema: fleet.FleetMigrated, needs: 'PostgreSQL' },
  ],
  simulate: one(work.Simulation),
  demo: one(look.Summary),
  ps: one(z.array(watch.ListedRun)),
  watch: one(watch.Watched),
  web: one(watch.Served),
  logs: one(z.array(watch.LogLine)),
  inbox: one(z.array(watch.InboxEntry)),
  answer: one(Task),
  why: one(work.Why),
  prompt: one(watch.Prompt),
  resolve: [
    { when: 'resolve ID', schema: tasks },
    { when: 'resolve FILE', schema: watch.ResolvedPlan },
  ],
  stats: one(watch.Stats),
  summary: one(look.SummaryWithState),
  merge: one(work.Merged),
  queue: one(z.array(work.QueueItem)),
  diff: one(work.Diff),
  pr: one(setUp.PullRequestText),
  export: one(tasks),
  sync: one(setUp.Synced),
  linear: one(setUp.LinearSynced),
  verify: one(z.array(setUp.Verified)),
  doctor: one(z.array(setUp.Finding)),
  prune: one(setUp.Pruned),
  init: one(setUp.Initialized),
  trust: one(z.array(setUp.TrustedFile)),
  config: one(z.array(setUp.Setting)),
  notify: one(setUp.Notified),
  setup: one(setUp.ClientSetup),
  'shell-init': one(setUp.Script),
  completion: one(setUp.Script),
}

export const ErrorOutput = z.strictObject({ error: work.AnError })

/** Commands that print what others wrote, or speak a protocol. */
export const WITHOUT_OUTPUT = ['guard', 'mcp']
