import { command, type Sentence, sentence } from '../../core/sentence.ts'

/**
 * What an agent may call from inside a box. gza then runs outside of it with the person's rights, so no command and no
 * flag may read, write or start anything that the caller names: a file, a folder, a remote, an address, a program.
 * Every command and every flag is judged here. One that is not is refused.
 */
export type InBox = Allowed | Refused

export interface Allowed {
  /** For each flag: true, or what to do instead. */
  flags: Readonly<Record<string, true | Sentence>>
  /** The position of an argument for which standard input can stand. `only`: nothing else may. */
  input?: { at: number; only?: Sentence }
}

export interface Refused {
  instead: Sentence
}

export function findInBox(name: string): InBox | undefined {
  return Object.hasOwn(IN_BOX, name) ? IN_BOX[name] : undefined
}

const READING = may('json', 'branch')
const PAGED = { ...READING, ...may('limit', 'no-pager') }
const LONG_OUTPUT = { ...PAGED, ...may('fields') }

/** A path among them is compared with those that tasks declare, and a view is a filter below `views` in gza.yaml. */
const FILTERS = ['agent', 'priority', 'milestone', 'since', 'file', 'text', 'not', 'view']

/** A run changes only the ledger that its task is in. */
const WRITING = {
  ...may('json'),
  branch: 'A run writes only to the ledger of its own task. Leave --branch out.',
}
const ADDING = { ...WRITING, create: 'A run writes only to the ledger of its own task. Leave --create out.' }

const PIPE_IN = sentence`Its text can be a note: ${command`note ID -`} reads it from standard input.`

/** The fields of a new task. Paths among them are stored as text, and nothing is looked up. */
const TASK_FIELDS = may(
  ...['after', 'depends-on', 'based-on', 'type', 'group', 'priority', 'parent', 'key', 'title', 'accept', 'lock'],
  ...['files-to-create', 'files-to-modify', 'test-files', 'review', 'same-branch', 'auto-review', 'no-auto-review'],
  ...['max-cycles', 'max-attempts', 'milestone', 'user-story', 'plan-file', 'project', 'assigned-agent'],
  'estimated-complexity',
)

const FOR_PEOPLE: Refused = {
  instead: sentence`Leave it to a person; explain why it is needed with ${command`note ID "…"`}`,
}
const ONE_TASK: Refused = {
  instead: sentence`A run has one task. Finish it; what else there is to do: ${command`add "…"`}`,
}
const STAYS: Refused = {
  instead: sentence`A task does not change once it is filed. Add to it: ${command`note ID "…"`}`,
}
const OUTSIDE: Refused = { instead: 'It needs files and programs outside of the box. Continue without it.' }
const LOOK: Refused = {
  instead: sentence`Look at the tasks: ${command`context`}, ${command`list`}, ${command`show ID`}, ${command`why ID`}`,
}
/** Scores depend on the imports in the files that a task names. */
const READS_FILES: Refused = { instead: sentence`File each part of your task: ${command`add "…" --parent ID`}` }

export const IN_BOX: Readonly<Record<string, InBox>> = {
  add: { flags: { ...TASK_FIELDS, ...ADDING }, input: { at: 0 } },
  import: {
    flags: { ...may('format', 'from', 'dry-run'), update: STAYS.instead, ...ADDING },
    input: { at: 0, only: sentence`Pipe the file in: ${command`import -`} reads standard input.` },
  },
  done: { flags: { ...may('note'), ...WRITING } },
  note: { flags: { attach: PIPE_IN, ...WRITING }, input: { at: 1 } },
  ask: { flags: WRITING, input: { at: 1 } },
  list: {
    flags: { ...may('status', 'all', 'all-branches', 'group', 'type', ...FILTERS), ...LONG_OUTPUT },
  },
  search: { flags: { ...may('all', 'all-branches', 'not'), ...LONG_OUTPUT } },
  ready: { flags: LONG_OUTPUT },
  next: { flags: { ...may('all'), ...LONG_OUTPUT } },
  show: { flags: { ...may('text'), ...READING } },
  status: { flags: LONG_OUTPUT },
  groups: { flags: PAGED },
  milestones: { flags: PAGED },
  tree: { flags: { ...may('plan', 'all', 'numbers'), ...LONG_OUTPUT } },
  where: { flags: { ...may('plan'), ...READING } },
  graph: { flags: { ...may('all', 'mermaid', 'dot', 'svg'), ...READING } },
  log: { flags: LONG_OUTPUT },
  context: { flags: { ...may('plan', 'task', 'max-tokens', 'hook'), ...READING } },
  why: { flags: READING },
  stats: { flags: { ...READING, ...may('days', 'openmetrics') } },
  summary: { flags: LONG_OUTPUT },
  export: { flags: { ...may('jsonl', 'markdown', 'csv'), ...READING } },

  ...{ edit: STAYS, delete: STAYS, move: STAYS, undo: STAYS, redo: STAYS, restore: FOR_PEOPLE, archive: FOR_PEOPLE },
  ...{ plan: READS_FILES, breakdown: READS_FILES, score: READS_FILES, split: READS_FILES },
  todo: { instead: sentence`Edit TODO.md itself. A new task: ${command`add "…"`}` },
  ...{ query: LOOK, ps: LOOK, watch: LOOK, logs: LOOK, inbox: LOOK, prompt: LOOK, queue: LOOK, agents: LOOK, pr: LOOK },
  ...{ claim: ONE_TASK, release: ONE_TASK, assign: ONE_TASK },
  mcp: { instead: 'Start it without arguments.' },
  guard: { instead: 'What runs in the box is guarded. Call the command itself.' },
  ...{ work: FOR_PEOPLE, run: FOR_PEOPLE, retry: FOR_PEOPLE, review: FOR_PEOPLE, improve: FOR_PEOPLE },
  ...{
    kill: FOR_PEOPLE,
    fleet: FOR_PEOPLE,
    simulate: LOOK,
    demo: OUTSIDE,
    answer: FOR_PEOPLE,
    resolve: FOR_PEOPLE,
    merge: FOR_PEOPLE,
  },
  diff: { instead: 'git diff and git log show the work of your run.' },
  ...{ sync: FOR_PEOPLE, linear: FOR_PEOPLE, verify: FOR_PEOPLE, doctor: FOR_PEOPLE, prune: FOR_PEOPLE },
  ...{
    init: FOR_PEOPLE,
    trust: FOR_PEOPLE,
    config: FOR_PEOPLE,
    notify: FOR_PEOPLE,
    setup: FOR_PEOPLE,
    web: FOR_PEOPLE,
  },
  ...{ 'shell-init': OUTSIDE, completion: OUTSIDE },
  // What its tools may do is theirs to judge: no file, address or program can be named in a request.
  __mcp: { flags: { ...may('json'), branch: WRITING.branch } },
  ...{ __complete: OUTSIDE, hook: OUTSIDE, __link: OUTSIDE, '__demo-agent': OUTSIDE, __fleet: OUTSIDE },
}

function may(...flags: readonly string[]): Readonly<Record<string, true>> {
  return Object.fromEntries(flags.map((flag) => [flag, true]))
}
