import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { aRepo, type Repo } from '../support/repo.ts'
import { type Condition, type ListedJson, numbersOf } from './filter-reference.ts'

const TASKS = 70
const WORDS = ['parser', 'lexer', 'tokens', 'walrus', 'reads', 'slowly', 'again']
const GROUPS = ['api', 'later', 'two words']
const AGENTS = ['claude', 'codex']
const MILESTONES = ['M1', 'M2']
const FILES = ['src/parser.ts', 'src/deep/lexer.ts', 'test/lexer.test.ts', 'README.md']
const TYPES = ['task', 'plan', 'explore', 'implement']
const PRIORITIES = ['critical', 'high', 'medium', 'low']

/** The same tasks each time: their values have nothing to do with each other. */
function aBacklog(): { repo: Repo; tasks: ListedJson[] } {
  const repo = aRepo()
  repo.commit('first')
  const lines = Array.from({ length: TASKS }, (_, at) => JSON.stringify(taskAt(at)))
  repo.run(['gza', 'import', '-', '--format', 'jsonl'], { stdin: `${lines.join('\n')}\n` })
  const listed = (...args: string[]) => JSON.parse(repo.gza('list', ...args, '--json').stdout) as ListedJson[]
  const [claimed = '', asking = ''] = listed('--status', 'ready').map(({ number }) => String(number))
  const agent = { GZA_AGENT: 'codex' }
  repo.withEnv(agent).gza('claim', claimed)
  const { run } = JSON.parse(repo.withEnv(agent).gza('claim', asking, '--json').stdout)
  repo.withEnv({ ...agent, GZA_RUN: run }).gza('ask', asking, 'Which walrus?')
  repo.gza('add', 'Waits for the walrus', '--after', claimed, '--group', 'api')
  for (const { number } of listed('--status', 'done').slice(0, 4)) repo.gza('archive', String(number))
  return { repo, tasks: listed('--all') }
}

function taskAt(at: number): object {
  let count = 0
  const pick = <T>(from: readonly T[]): T => from[Bun.hash.xxHash32(`${at} ${count++}`) % from.length] as T
  const some = <T>(from: readonly T[]): T | undefined => pick([undefined, ...from])
  const status = pick(['pending', 'pending', 'completed', 'failed', 'skipped'])
  const isFinished = status === 'completed' || status === 'skipped'
  const month = pick(['01', '03', '05'])
  return {
    content: `${pick(WORDS)} ${pick(WORDS)}\n${pick(WORDS)} ${pick(WORDS)}`,
    ...{ status, created_at: `2024-${month}-02T00:00:00Z` },
    ...(isFinished && { closed_at: `2024-${pick(['06', '08'])}-02T00:00:00Z` }),
    ...{ type: pick(TYPES), priority: pick(PRIORITIES), group: some(GROUPS), milestone_id: some(MILESTONES) },
    assigned_agent: some(AGENTS),
    notes: pick([[], [`${pick(WORDS)} ${pick(WORDS)}`]]),
    acceptance_criteria: pick([[], [pick(WORDS)]]),
    files_to_modify: pick([[], [pick(FILES)]]),
    test_files: pick([[], [pick(FILES)]]),
  }
}

const VALUES: Record<Condition['field'], readonly string[]> = {
  status: [
    'open',
    'ready',
    'pending',
    'blocked',
    'in_progress',
    'done',
    'failed',
    'skipped',
    'done,failed',
    'ready,done',
  ],
  type: [...TYPES, 'plan,explore'],
  group: [...GROUPS, 'nowhere', ''],
  agent: [...AGENTS, ''],
  priority: [...PRIORITIES, 'critical,high'],
  milestone: [...MILESTONES, ''],
  since: ['2024-02-01', '2024-05-02', '2024-07-01'],
  file: ['src/', 'src/parser.ts', 'lexer.ts', '*.test.ts', '*.md'],
  words: [...WORDS, 'pars*', 'parser lexer', 'walrus reads', 'zebra'],
  title: [...WORDS, 'lex*'],
}

const condition: fc.Arbitrary<Condition> = fc
  .constantFrom(...(Object.keys(VALUES) as Condition['field'][]))
  .chain((field) =>
    fc.record({ field: fc.constant(field), value: fc.constantFrom(...VALUES[field]), isNot: fc.boolean() }),
  )

/** Each field without a minus once: a flag that is given twice is refused. */
const conditions = fc.uniqueArray(condition, {
  ...{ minLength: 1, maxLength: 4 },
  selector: ({ field, value, isNot }) => (isNot || isText(field) ? `${field} ${value} ${isNot}` : field),
})

function isText(field: Condition['field']): boolean {
  return field === 'words' || field === 'title'
}

/** A condition as a term of the language of filters. */
function termOf({ field, value }: Condition): string {
  const quoted = /[ ]|^$/.test(value) ? `"${value}"` : value
  return field === 'words' ? quoted : `${field}:${quoted}`
}

/** As flags where there are some, and otherwise as a line; `asLine`: everything as one line. */
function argsOf(given: readonly Condition[], asLine: boolean): string[] {
  const line = given.filter(({ field, isNot }) => asLine || (!isNot && isText(field)))
  const flags = given.filter((each) => !line.includes(each))
  const text = line.map((each) => `${each.isNot ? '-' : ''}${termOf(each)}`).join(' ')
  return [
    ...flags.flatMap((each) => (each.isNot ? ['--not', termOf(each)] : [`--${each.field}`, each.value])),
    ...(text === '' ? [] : [`--text=${text}`]),
  ]
}

test('every combination of filters and negations lists what a simple filter over the JSON keeps', () => {
  const { repo, tasks } = aBacklog()
  const listed = (...args: string[]) => {
    const { code, stdout, stderr } = repo.gza('list', '--json', ...args)
    expect({ args, code, stderr }).toEqual({ args, code: 0, stderr: '' })
    return (JSON.parse(stdout) as ListedJson[]).map(({ number }) => number)
  }
  expect(new Set(tasks.map(({ status }) => status)).size).toBe(6)
  expect(tasks.filter(({ asks }) => asks)).toHaveLength(1)
  expect(tasks.filter(({ archived }) => archived)).toHaveLength(4)
  for (const field of Object.keys(VALUES) as Condition['field'][])
    for (const isNot of [false, true]) {
      const one = { field, value: VALUES[field][0] as string, isNot }
      expect({ one, numbers: listed(...argsOf([one], false)) }).toEqual({
        one,
        numbers: numbersOf(tasks, [one], false),
      })
    }
  fc.assert(
    fc.property(conditions, fc.boolean(), fc.boolean(), (given, all, asLine) => {
      const args = [...argsOf(given, asLine), ...(all ? ['--all'] : [])]
      expect({ args, numbers: listed(...args) }).toEqual({ args, numbers: numbersOf(tasks, given, all) })
    }),
    { numRuns: 60 },
  )
})
