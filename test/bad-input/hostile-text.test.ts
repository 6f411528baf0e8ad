import { describe, expect, test } from 'bun:test'
import { ALL_COMMANDS } from '../../src/cli/tree/all-commands.ts'
import { effectOf } from '../../src/cli/tree/effects.ts'
import { taskLine } from '../../src/core/ledger/task-line.ts'
import type { Task } from '../../src/core/task/task.ts'
import { taskWithPrefix } from '../support/handmade-commits.ts'
import { HAS_SCRIPT } from '../support/has-script.ts'
import { aStartedRepo, ask, gza, listAll } from '../support/ledger-calls.ts'
import { aRepo, type Repo } from '../support/repo.ts'

/** What a terminal would obey, and what would make a text read differently from what it is. */
const ESCAPES = '\u001b]0;title\u0007\u001b[2J\u009b31m\u0090q\u009c\u007f\b\u001b(0'
const BIDI = '\u202egnp.exe\u202c\u2066\u2069\u2028\u2029'
const HOSTILE = `${ESCAPES}${BIDI}`
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that must not come out
const RAW = /[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufffd]/
/** As far as git takes them in the name of a branch. */
const BRANCH = 'evil\u009b31m\u202egnp'

const FLAGS = ['--title', '--group', '--key', '--accept', '--milestone', '--plan-file', '--project', '--user-story']
const LISTS = ['--files-to-create', '--files-to-modify', '--test-files', '--assigned-agent']

/** A repository where every text that anybody can choose is hostile, names included. */
function aHostileRepo(): Repo {
  const names = { GIT_AUTHOR_NAME: HOSTILE, GIT_COMMITTER_NAME: `Eve ${HOSTILE}`, GIT_COMMITTER_EMAIL: 'e@x' }
  const repo = aStartedRepo({ env: { ...names, GIT_AUTHOR_EMAIL: 'e@x', NO_COLOR: '1' } })
  repo.git('remote', 'add', 'origin', aRepo({ bare: true }).dir)
  repo.gza('add', HOSTILE, ...[...FLAGS, ...LISTS].flatMap((flag) => [flag, HOSTILE]))
  repo.run(['gza', 'note', '1', '-'], { stdin: `a\u0000${HOSTILE}\nsecond` })
  repo.run(['gza', 'add', '--after', '1'], { stdin: `first\u0000 ${HOSTILE}\n\nmore ${HOSTILE}` })
  repo
    .withEnv({ GZA_AGENT: HOSTILE, GZA_RUN: HOSTILE })
    .gza('add', `by an agent ${HOSTILE}`, '--group', HOSTILE, '--parent', '1')
  repo.gza('add', 'elsewhere', '--branch', BRANCH, '--create')
  repo.run(['gza', 'import', '-'], { stdin: HOSTILE_LINE })
  repo.run(['gza', 'import', '-'], { stdin: HOSTILE_RUNS })
  repo.write(`${ESCAPES.replaceAll('/', '')}.md`, `- [ ] item ${HOSTILE}\n- [?] ${HOSTILE}\n`)
  repo.write('hostile.md', `${HOSTILE}\n${HOSTILE}\n`)
  repo.gza('note', '2', 'see', '--attach', 'hostile.md')
  return repo
}

/** A run with words of its own for everything, as another program may have recorded it. */
const HOSTILE_LINE = JSON.stringify({
  ...{ content: `closed ${HOSTILE}`, created_by: HOSTILE, status: 'done', closed_commit: HOSTILE, id: HOSTILE },
  ...{ branch: HOSTILE, notes: [HOSTILE, { text: HOSTILE }], children: [{ content: `child ${HOSTILE}` }] },
})

const RUN = { run: HOSTILE, attempt: 1, machine: HOSTILE, started_at: HOSTILE, verdict: HOSTILE, review_cycle: HOSTILE }
const HOSTILE_RUNS = [
  { ...taskWithPrefix('0', 1), number: 50, status: 'completed' as const, closed_at: HOSTILE, closed_by: HOSTILE },
  { ...taskWithPrefix('1', 2), number: 51 },
]
  .map((task, at) => taskLine({ ...task, runs: [at === 0 ? { ...RUN, ended_at: HOSTILE } : RUN] } as Task))
  .join('\n')

const FILE = `${ESCAPES}.md`
const READING = [
  ...[['list'], ['list', '--all'], ['list', '--all-branches'], ['list', '--group', HOSTILE], ['list', '--json']],
  ...[
    ['list', '--text', HOSTILE],
    ['search', 'second'],
    ['search', HOSTILE],
    ['search', 'more', '--json'],
  ],
  ...[['ready'], ['ready', '--json'], ['next'], ['next', '--all'], ['next', '--all', '--json']],
  ...[
    ['show', '1'],
    ['show', '2'],
    ['show', '4'],
    ['show', HOSTILE],
    ['show', '1', '--json'],
    ['show', '2', '--text'],
    ['show', '2', '--text', '--json'],
  ],
  ...[['status'], ['status', HOSTILE], ['status', '--json'], ['groups'], ['groups', '--json']],
  ...[['log'], ['log', '1'], ['log', '--json'], ['pr'], ['pr', '--json'], ['verify'], ['verify', '--all-branches']],
  ...[['export'], ['export', '--markdown'], ['export', '--csv'], ['export', '--json'], ['export', '--branch', BRANCH]],
  ...[
    ['query', 'SELECT * FROM tasks'],
    ['query', 'SELECT * FROM tasks', '--json'],
    ['query', HOSTILE],
  ],
  ['query', "SELECT char(27) || '[2J' AS [\u001b[2J], x'1b5b324a' AS bytes"],
  ...[['doctor'], ['doctor', '--json'], ['trust', '--show'], ['import', FILE, '--dry-run'], ['prune', '--dry-run']],
  ...[['__complete', '--', 'show', ''], ['__complete', '--', 'list', '--group', ''], ['init']],
  ...[
    ['ps'],
    ['inbox'],
    ['inbox', '--json'],
    ['why', '1'],
    ['prompt', '1'],
    ['prompt', '1', '--json'],
    ['why', '2'],
    ['why', HOSTILE],
    ['stats'],
    ['summary'],
    ['config'],
    ['notify'],
    ['watch'],
    ['logs', '50'],
  ],
  ...[['milestones'], ['milestones', '--json'], ['tree', '--all'], ['tree', '--json'], ['where'], ['where', '--json']],
  ...[
    ['graph', '--all'],
    ['graph', '--mermaid'],
    ['graph', '--dot'],
    ['graph', '--svg'],
    ['graph', '--json'],
  ],
  ...[['context'], ['context', '--task', '2'], ['context', '--json'], ['agents'], ['agents', '--json']],
  ...[['score', '1'], ['score', '1', '--json'], ['simulate'], ['simulate', '--json'], ['queue'], ['diff', '50']],
  ...[['completion', 'bash'], ['shell-init']],
]
const REFUSED = [
  ...[
    ['show', `99${HOSTILE}`],
    ['list', '--type', HOSTILE],
    ['list', '--status', HOSTILE],
    ['list', '--limit', HOSTILE],
  ],
  ...[[HOSTILE], ['add', 'x', `--${ESCAPES}`], ['add', 'x', '--after', HOSTILE], ['list', '--branch', HOSTILE]],
  ...[
    ['status', `no${HOSTILE}`],
    ['import', `/no/${HOSTILE}`],
    ['sync', HOSTILE],
    ['prune', '--restore', HOSTILE],
  ],
  ...[
    ['show', '1', HOSTILE],
    ['show', '2', '--text', HOSTILE],
    ['edit', '1', '--text', HOSTILE],
    ['completion', HOSTILE],
    ['edit', '1', '--verdict', HOSTILE],
    ['-C', HOSTILE, 'list'],
  ],
]
const WRITING = [
  ...[
    ['note', '1', HOSTILE],
    ['edit', '2', '--title', `x${HOSTILE}`],
    ['edit', '1', '--group', `g${HOSTILE}`],
  ],
  ...[
    ['import', FILE],
    ['done', '1', '2', '--note', HOSTILE],
    ['undo'],
    ['redo'],
    ['undo'],
    ['delete', '2'],
    ['restore'],
    ['restore', '2'],
    ['delete', '2'],
    ['sync'],
    ['prune'],
  ],
  ...[
    ['move', '4', '--to', BRANCH],
    ['show', '4'],
    ['move', '--open', '--from', BRANCH],
  ],
  ...[
    ['guard', '--', 'true'],
    ['add', HOSTILE, '--based-on', '1'],
  ],
]

/** The server prints its own address only. */
const WITHOUT_TEXTS = ['web']

test('READING has every command that reads, so that none prints a text as it is', () => {
  const called = new Set([...READING.map(([name]) => name), ...WITHOUT_TEXTS])
  const reading = ALL_COMMANDS.flatMap(({ name }) => (effectOf(name) === 'reads' ? [name] : []))
  expect(reading.filter((name) => !called.has(name))).toEqual([])
})

function rawIn(repo: Repo, argv: string[]): RegExpExecArray | null {
  const { stdout, stderr } = repo.run(argv)
  // The lines of CSV end with both.
  return RAW.exec((stdout + stderr).replaceAll('\r\n', '\n').replaceAll('\t', ''))
}

describe.each(['gza', 'git-tasks'])(
  'no control character and no bidi override reaches a terminal through %s',
  (name) => {
    const repo = aHostileRepo()

    test.each([
      ['reading', READING],
      ['refusing', REFUSED],
      ['writing', WRITING],
    ])('while %s', (_, calls) => {
      for (const args of calls) expect({ args, raw: rawIn(repo, [name, ...args]) }).toEqual({ args, raw: null })
    })

    test('and neither on a branch whose name is hostile', () => {
      repo.git('checkout', '--quiet', '-b', BRANCH)
      for (const args of [
        ['list'],
        ['status'],
        ['init'],
        ['doctor'],
        ['add', 'more'],
        ['verify'],
        ['sync'],
        ['groups'],
      ])
        expect({ args, raw: rawIn(repo, [name, ...args]) }).toEqual({ args, raw: null })
    })
  },
)

test('and neither through the notes that git log shows', () => {
  const repo = aHostileRepo()
  repo.commit('work')
  gza(repo, 'done', '3', '1')
  const note = repo.git('notes', '--ref=refs/notes/tasks', 'show', 'HEAD')
  expect({ note: note.length > 10, raw: RAW.exec(note) }).toEqual({ note: true, raw: null })
})

test('what is stored is what was written, to the last character', () => {
  const repo = aHostileRepo()
  const [first, second, byAgent, closed] = listAll(repo) as [Listed, Listed, Listed, Listed]
  type Listed = ReturnType<typeof listAll>[number]
  expect(first).toMatchObject({
    ...{
      content: HOSTILE.trim(),
      title: HOSTILE,
      group: HOSTILE,
      key: HOSTILE.trim(),
      project: HOSTILE,
      plan_file: HOSTILE,
    },
    ...{ notes: [`a\u0000${HOSTILE}\nsecond`.trim()], acceptance_criteria: [HOSTILE], milestone_id: HOSTILE },
  })
  expect(second.content).toBe(`first\u0000 ${HOSTILE}\n\nmore ${HOSTILE}`.trim())
  expect(byAgent.created_by).toBe(HOSTILE.trim())
  expect(closed.created_by).toBe(HOSTILE)
  expect(ask<{ ok: boolean }[]>(repo, 'verify')[0]?.ok).toBe(true)
})

// Colours are ours; on a dumb terminal there are none, and whatever escape comes out came from a task.
test.if(HAS_SCRIPT)('a terminal gets the same, cut to its width', () => {
  const repo = aHostileRepo().withEnv({ TERM: 'dumb' })
  for (const args of ['list', 'search more', 'ready', 'next --all', 'status', 'groups', 'log', 'show 1', 'pr']) {
    const { stdout } = repo.run(['script', '-qec', `stty cols 60; gza ${args}`, '/dev/null'], { stdin: '' })
    expect({ args, raw: RAW.exec(stdout.replaceAll('\r\n', '\n')) }).toEqual({ args, raw: null })
  }
})

describe('texts that only look odd', () => {
  const ODD = [
    ...[
      '|',
      '||',
      '"',
      "'",
      '`',
      '\\',
      '\\n',
      '$(id)',
      '; rm -rf x',
      '%s%n',
      '<b>&amp;</b>',
      '{{x}}',
      '---',
      '#',
      '=1+1',
    ],
    ...['👩‍👩‍👧‍👦', '🏳️‍🌈', 'é', 'e\u0301', 'Z\u0351\u036b\u0343', 'שלום עולם', 'مرحبا', '日本語', '\u200b\u200d', '𝕏'],
    ...[
      'two\nlines',
      'a\n\n\nb',
      '\ttab',
      'trailing\\',
      '-',
      '--',
      '--json',
      '-h',
      '@file',
      '~',
      '*',
      '?',
      'NULL',
      '0',
    ],
  ]

  test('are stored as they are, shown, and survive export and import', () => {
    const repo = aStartedRepo()
    for (const text of ODD) {
      expect(repo.run(['gza', 'add', `--title=${text}`, `--group=${text}`], { stdin: text }).code).toBe(0)
    }
    const stored = listAll(repo)
    expect(stored.map(({ content }) => content)).toEqual(ODD.map((text) => text.trim()))
    expect(stored.map(({ group }) => group)).toEqual(ODD)
    for (const text of ODD) expect(gza(repo, 'list', `--group=${text}`).split('\n')).toHaveLength(1)
    const other = aStartedRepo()
    expect(other.run(['gza', 'import', '-'], { stdin: gza(repo, 'export') }).code).toBe(0)
    expect(gza(other, 'export')).toBe(gza(repo, 'export'))
  })

  test('stay inside their line of a list, and inside their item of markdown', () => {
    const repo = aStartedRepo()
    for (const text of ODD) repo.run(['gza', 'add'], { stdin: text })
    const lines = gza(repo, 'list').split('\n')
    expect(lines).toHaveLength(ODD.length)
    for (const line of lines) expect(line).toMatch(/^#\d+ task-[0-9a-f]{4,}: /)
    expect(gza(repo, 'pr').match(/^- \[ \] task-/gm)).toHaveLength(ODD.length)
  })
})
