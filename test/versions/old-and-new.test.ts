/**
 * The executable of an earlier commit beside the current one. It must read, write, verify and join what this version
 * writes, and lose nothing of it. A new kind of fact is one line more in FACTS.
 */
import { expect, test } from 'bun:test'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { commitFiles } from '../support/handmade-commits.ts'
import { exportedTasks, linesOf } from '../support/ledger-answers.ts'
import { add, aStartedRepo, contents, gza } from '../support/ledger-calls.ts'
import { previousProgram } from '../support/previous-program.ts'
import type { Repo, Result } from '../support/repo.ts'
import { anAgentRepo } from '../support/scripted-agent.ts'

/** Every kind of fact and field: what writes it, for a task that was just filed. */
const FACTS: [name: string, write: (repo: Repo, id: string) => void][] = [
  ['a note', (repo, id) => gza(repo, 'note', id, 'a note')],
  ['a claim', (repo, id) => gza(repo, 'claim', id)],
  ['a claim given back', (repo, id) => [gza(repo, 'claim', id), gza(repo, 'release', id)]],
  ['a claim taken over', (repo, id) => [gza(repo, 'claim', id), gza(repo, 'claim', id, '--take-over')]],
  ['a question and its answer', (repo, id) => askAndAnswer(repo, id)],
  ['a linked commit', (repo, id) => [gza(repo, 'done', id), repo.commit(`for ${id}`), gza(repo, 'log')]],
  ['a restored task', (repo, id) => [gza(repo, 'delete', id), gza(repo, 'restore', id)]],
  ['an undone edit', (repo, id) => [gza(repo, 'edit', id, '--content', 'other'), gza(repo, 'undo')]],
  ['a redone note', (repo, id) => [gza(repo, 'note', id, 'once'), gza(repo, 'undo'), gza(repo, 'redo')]],
  ['a large text', (repo, id) => gza(repo, 'note', id, 'long '.repeat(400))],
  [
    'a run and its landing',
    (repo, id) =>
      agentCommands(repo, [
        ['work', id],
        ['merge', id, '--yes'],
      ]),
  ],
  ['a run with isolation', (repo, id) => workIsolated(repo, id)],
  [
    'continued review cycles',
    (repo, id) =>
      agentCommands(repo, [
        ['edit', id, '--auto-review', '--max-cycles', '1'],
        ['work', id],
        ['edit', id, '--max-cycles', '2'],
        ['retry', id],
      ]),
  ],
  ['a moved task', (repo, id) => [repo.git('branch', 'elsewhere'), gza(repo, 'move', id, '--to', 'elsewhere')]],
]

function askAndAnswer(repo: Repo, id: string): void {
  const agent = repo.withEnv({ GZA_AGENT: 'helper' })
  gza(agent, 'claim', id)
  gza(agent, 'ask', id, 'Which one?')
  gza(repo, 'answer', id, 'the second')
}

const WORK_OR_REVIEW = `case $prompt in
  "You are reviewing"*) echo "Verdict: CHANGES_REQUESTED" ;;
  *) echo "$call" > work.txt; git add --all; git commit --quiet -m work ;;
esac`

/** Only where an agent is configured. */
function agentCommands(repo: Repo, commands: string[][]): void {
  if (repo.env.GZA_TRUST === '1') for (const args of commands) gza(repo, ...args)
}

/** The earlier executable may not know this setting, so that only one command sees it. */
function workIsolated(repo: Repo, id: string): void {
  const file = join(repo.env.HOME ?? '', '.config/gza/config.yaml')
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `isolation: {level: auto, allow: [${dirname(repo.dir)}]}\n`)
  agentCommands(repo, [['work', id]])
  rmSync(file)
}

function withAllFacts(repo: Repo): string[] {
  return FACTS.map(([name, write]) => {
    const id = add(repo, name)
    write(repo, id)
    return id
  })
}

/** Calls the earlier executable, which must succeed. */
function old(repo: Repo, ...args: string[]): string {
  const result = tryOld(repo, ...args)
  if (result.code !== 0)
    throw new Error(`old gza ${args.join(' ')} exited with ${result.code}: ${result.stdout}${result.stderr}`)
  if (result.stderr.includes('cannot be read')) throw new Error(result.stderr)
  return result.stdout
}

function tryOld(repo: Repo, ...args: string[]): Result {
  return repo.run([previousProgram(), ...args])
}

test('on one repository the earlier executable reads, changes and verifies everything that this one wrote', () => {
  const repo = anAgentRepo({ else: WORK_OR_REVIEW })
  const ids = withAllFacts(repo)
  const before = exportedTasks(repo)
  expect(old(repo, 'verify')).toStartWith('main: ok (')
  expect(linesOf(old(repo, 'list', '--all'))).toHaveLength(ids.length)
  for (const id of ids) old(repo, 'note', id, 'by the earlier one')
  old(repo, 'add', 'filed by the earlier one')
  // The claimed task has a holder, so that nobody else closes it.
  old(repo, 'done', ids[0] ?? '')

  const after = exportedTasks(repo)
  const without = (tasks: typeof after) =>
    tasks.slice(0, ids.length).map(({ notes, ...task }, at) => ({
      ...(at === 0 ? { uid: task.uid } : task),
      notes: notes.filter(({ text }) => text !== 'by the earlier one'),
    }))
  expect(without(after)).toEqual(without(before))
  expect(gza(repo, 'verify')).toStartWith('main: ok (')
  expect(contents(repo)).toContain('filed by the earlier one')
  expect(old(repo, 'verify')).toStartWith('main: ok (')
})

test('across a remote both take in and join what the other one wrote, and lose nothing', () => {
  const origin = aStartedRepo()
  const [here, there] = [origin.clone(), origin.clone()]
  const shared = add(here, 'shared')
  gza(here, 'sync')
  old(there, 'sync')
  withAllFacts(here)
  gza(here, 'note', shared, 'by this one')
  old(there, 'note', shared, 'by the earlier one')
  old(there, 'add', 'filed by the earlier one')
  gza(here, 'sync')
  old(there, 'sync')
  gza(here, 'note', shared, 'once more')
  old(there, 'add', 'filed later')
  old(there, 'sync')
  gza(here, 'sync')
  old(there, 'sync')
  for (const repo of [here, there]) expect(gza(repo, 'verify')).toStartWith('main: ok (')
  expect(old(there, 'verify')).toStartWith('main: ok (')
  expect(linesOf(old(there, 'export'))).toEqual(linesOf(gza(here, 'export')))
  const names = FACTS.map(([name]) => name).filter((name) => name !== 'a moved task')
  expect(contents(here)).toEqual(
    expect.arrayContaining(['shared', ...names, 'filed by the earlier one', 'filed later']),
  )
  expect(contents(here, '--branch', 'elsewhere')).toEqual(['a moved task'])
})

test('a ledger of a newer format asks for an upgrade; nobody calls it forged', () => {
  const origin = aStartedRepo()
  const [here, there] = [origin.clone(), origin.clone()]
  add(here, 'one')
  gza(here, 'sync')
  gza(there, 'sync')
  commitFiles(here, { format: () => '2\n', 'tasks.jsonl': (text) => `${text}{"of":"another format"}\n` })
  here.git('push', '-q', 'origin', 'refs/tasks/main:refs/tasks/main')
  for (const args of [['list'], ['verify'], ['work'], ['verify', '--all-branches'], ['inbox']]) {
    const { code, stdout, stderr } = here.gza(...args)
    expect({ args, code }).toEqual({ args, code: 1 })
    expect(stdout + stderr).toMatch(/written by a newer gza .*[Uu]pgrade gza/s)
    expect(stdout + stderr).not.toMatch(/bad commit|illegal|forged/)
  }
  const sync = there.gza('sync')
  expect(sync.stderr).toContain('written by a newer gza')
  expect(sync.stderr).not.toMatch(/illegal/)
  expect(contents(there)).toEqual(['one'])
  expect(there.gza('verify').stdout).toStartWith('main: ok (')
})
