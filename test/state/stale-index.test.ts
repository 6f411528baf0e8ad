import { expect, test } from 'bun:test'
import { chmodSync, copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import fc from 'fast-check'
import { anyCall } from '../support/arbitrary-commands.ts'
import {
  answersOf,
  dropIndex,
  exportedTasks,
  linesOf,
  outputOf,
  rebuiltAnswers,
  stateFile,
} from '../support/ledger-answers.ts'
import { aRepo, type Repo } from '../support/repo.ts'

const ROOM = 180_000

/** A repository with some tasks, and a clone that follows it by plain git. */
function aFollowedRepo(taskCount: number): { repo: Repo; follower: Repo } {
  const repo = aRepo()
  const list = Array.from({ length: taskCount }, (_, n) => `- [ ] task ${n + 1}\n`).join('')
  outputOf(repo.run(['gza', 'import', '-'], { stdin: list }))
  const follower = repo.clone()
  follow(follower)
  return { repo, follower }
}

function follow(follower: Repo): void {
  follower.git('fetch', '--quiet', 'origin', '+refs/tasks/*:refs/tasks/*')
}

const anyStep = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('call' as const), call: anyCall }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('peer' as const), call: anyCall }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('sync' as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('follow' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('rewind' as const), by: fc.integer({ min: 1, max: 4 }) }) },
)

test(
  'an index that was kept up to date step by step answers like one made anew, whatever moved the ledger',
  () => {
    fc.assert(
      fc.property(fc.constantFrom(3, 62, 127), fc.array(anyStep, { maxLength: 14 }), (taskCount, steps) => {
        const { repo, follower } = aFollowedRepo(taskCount)
        const peer = repo.clone()
        follow(peer)
        for (const step of steps) {
          if (step.kind === 'call') repo.run(['gza', ...step.call.args], step.call)
          if (step.kind === 'peer') peer.run(['gza', ...step.call.args], step.call)
          if (step.kind === 'sync') outputOf(peer.gza('sync'))
          if (step.kind === 'rewind') rewind(follower, step.by)
          if (step.kind === 'follow') follow(follower)
          if (step.kind === 'rewind' || step.kind === 'follow') outputOf(follower.gza('list'))
        }
        follow(follower)
        for (const each of [repo, peer, follower]) expect(answersOf(each)).toEqual(rebuiltAnswers(each))
        expect(exportedTasks(repo)).toEqual(exportedTasks(follower))
        repo.remove()
      }),
      { numRuns: 10 },
    )
  },
  ROOM,
)

/** Someone took the ledger back by hand. */
function rewind(repo: Repo, by: number): void {
  const commits = linesOf(repo.git('rev-list', '--first-parent', 'refs/tasks/main'))
  repo.git('update-ref', 'refs/tasks/main', commits[Math.min(by, commits.length - 1)] as string)
}

test('a ledger taken back by hand takes its index along', () => {
  const repo = aRepo()
  outputOf(repo.gza('add', 'one'))
  const start = repo.git('rev-parse', 'refs/tasks/main')
  outputOf(repo.gza('add', 'two'))
  outputOf(repo.gza('edit', '1', '--after', '2'))
  outputOf(repo.gza('done', '2'))
  repo.git('update-ref', 'refs/tasks/main', start)
  expect(exportedTasks(repo).map(({ content }) => content)).toEqual(['one'])
  expect(answersOf(repo)).toEqual(rebuiltAnswers(repo))
})

test('a task in an untouched shard waits again when what it waits for is gone from the ledger', () => {
  const { repo } = aFollowedRepo(66)
  outputOf(repo.gza('edit', '3', '--after', '66'))
  outputOf(repo.gza('done', '66'))
  outputOf(repo.gza('ready'))
  writeTail(repo, linesOf(repo.git('show', 'refs/tasks/main:tasks.jsonl')).slice(0, -1))
  const ready = JSON.parse(outputOf(repo.gza('ready', '--json'))) as { number: number }[]
  expect(ready.map(({ number }) => number)).not.toContain(3)
  expect(answersOf(repo)).toEqual(rebuiltAnswers(repo))
})

/** Commits other lines as the ledger's `tasks.jsonl`, as someone with plain git might. */
function writeTail(repo: Repo, lines: readonly string[]): void {
  const stdin = lines.map((line) => `${line}\n`).join('')
  const blob = repo.run(['git', 'hash-object', '-w', '--stdin'], { stdin }).stdout.trim()
  const entries = repo.git('ls-tree', 'refs/tasks/main').replace(/\S+(?=\ttasks\.jsonl)/, blob)
  const tree = repo.run(['git', 'mktree'], { stdin: `${entries}\n` }).stdout.trim()
  const commit = repo.git('commit-tree', '-p', 'refs/tasks/main', '-m', 'by hand', tree)
  repo.git('update-ref', 'refs/tasks/main', commit)
}

test('a ledger pushed to from elsewhere is found changed by the next command', () => {
  const { repo, follower } = aFollowedRepo(3)
  outputOf(follower.gza('done', '2'))
  follower.git('push', '--quiet', 'origin', 'refs/tasks/main')
  expect(exportedTasks(repo).map(({ status }) => status)).toEqual(['pending', 'completed', 'pending'])
  expect(answersOf(repo)).toEqual(rebuiltAnswers(repo))
})

test('an index put back from before is brought up to date', () => {
  const { repo } = aFollowedRepo(70)
  const state = stateFile(repo)
  for (const suffix of ['', '-wal']) copyFileSync(state + suffix, `${state}${suffix}.old`)
  outputOf(repo.gza('add', 'later'))
  outputOf(repo.gza('done', '3'))
  dropIndex(repo)
  for (const suffix of ['', '-wal']) copyFileSync(`${state}${suffix}.old`, state + suffix)
  expect(exportedTasks(repo).at(-1)?.content).toBe('later')
  expect(answersOf(repo)).toEqual(rebuiltAnswers(repo))
})

test('only the shards that changed are read', () => {
  const { repo, follower } = aFollowedRepo(300)
  outputOf(follower.gza('list'))
  outputOf(repo.gza('note', '70', 'in the second shard'))
  outputOf(repo.gza('add', 'in the tail'))
  follow(follower)
  const changed = ['shards/0000/01.jsonl', 'tasks.jsonl']
  expect(objectsRead(follower, 'list')).toEqual(
    changed.map((path) => follower.git('rev-parse', `refs/tasks/main:${path}`)).sort(),
  )
  expect(objectsRead(follower, 'list')).toEqual([])
  expect(answersOf(follower)).toEqual(rebuiltAnswers(follower))
})

/** The objects that a command asks git for, by a `git` on PATH that writes down what it is given. */
function objectsRead(repo: Repo, ...args: string[]): string[] {
  const folder = join(repo.dir, '..', 'listening')
  const log = join(folder, 'log')
  const git = Bun.which('git', { PATH: repo.env.PATH as string })
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder)
  writeFileSync(log, '')
  const script = `case " $* " in *" cat-file --batch "*) tee -a ${log} | ${git} "$@" ;; *) exec ${git} "$@" ;; esac`
  writeFileSync(join(folder, 'git'), `#!/bin/sh\n${script}\n`)
  chmodSync(join(folder, 'git'), 0o755)
  outputOf(repo.withEnv({ PATH: [folder, repo.env.PATH].join(delimiter) }).gza(...args))
  return linesOf(readFileSync(log, 'utf8')).sort()
}
