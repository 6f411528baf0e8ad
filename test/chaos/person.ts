import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { until } from '../support/until.ts'
import { moveLeftLocks } from './left-locks.ts'
import type { Choice } from './seeded-choice.ts'
import type { StormRepo } from './storm-repo.ts'

/** What a person did in the checkout in which gza lands, and what must still be there. */
export interface PersonsWork {
  commits: string[]
  branches: Map<string, string>
  /** Oldest first. */
  stashes: string[]
  untracked: Map<string, string>
  /** Uncommitted files that were not as the person had left them. */
  lost: string[]
}

/** Works in the checkout as people do, until the storm is over. */
export async function workAsPerson(storm: StormRepo, choice: Choice, isOver: () => boolean): Promise<PersonsWork> {
  const work: PersonsWork = { commits: [], branches: new Map(), stashes: [], untracked: new Map(), lost: [] }
  for (let n = 1; !isOver(); n++) {
    const act = choice.oneOf([commit, branch, fetch, stash, leaveFile, edit, sync])
    storm.note(`person: ${act.name} ${n}`)
    await act({ storm, work, n, isOver })
    const seen = storm.calls()
    await until(() => isOver() || storm.calls() > seen, 'the next call of an agent')
  }
  return work
}

interface Act {
  storm: StormRepo
  work: PersonsWork
  n: number
  isOver: () => boolean
}

async function commit({ storm, work, n }: Act): Promise<void> {
  const path = `person/${n}.txt`
  storm.main.write(path, `${n}\n`)
  await git(storm, 'add', path)
  work.commits.push(await commitFile(storm, path, `Person ${n}.`))
}

async function branch({ storm, work, n }: Act): Promise<void> {
  const name = `person/${n}`
  await git(storm, 'switch', '--quiet', '-c', name)
  storm.main.write(`person/${n}.txt`, `${n}\n`)
  await git(storm, 'add', `person/${n}.txt`)
  work.branches.set(name, await commitFile(storm, `person/${n}.txt`, `Person ${n}.`))
  await git(storm, 'switch', '--quiet', 'main')
}

async function fetch({ storm }: Act): Promise<void> {
  await git(storm, 'fetch', '--quiet', 'origin')
}

/** Of one file: without a path, git itself may set the branch back to a commit that it read before a landing. */
async function stash({ storm, work, n }: Act): Promise<void> {
  storm.main.write('person/notes.txt', `stashed in ${n}\n`)
  await git(storm, 'stash', 'push', '--quiet', '--message', `person ${n}`, '--', 'person/notes.txt')
  work.stashes.push(await git(storm, 'rev-parse', 'stash@{0}'))
}

async function leaveFile({ storm, work, n }: Act): Promise<void> {
  work.untracked.set(storm.main.write(`untracked-${n}.txt`, `${n}\n`), `${n}\n`)
}

/** Leaves a tracked file changed until agents were called again, then commits it. */
async function edit({ storm, work, n, isOver }: Act): Promise<void> {
  const text = `edited in ${n}\n`
  storm.main.write('person/notes.txt', text)
  const seen = storm.calls()
  await until(() => isOver() || storm.calls() > seen, 'the next call of an agent')
  if (readFileSync(join(storm.main.dir, 'person/notes.txt'), 'utf8') !== text) work.lost.push(`the edit ${n}`)
  work.commits.push(await commitFile(storm, 'person/notes.txt', `Person ${n}.`))
}

async function sync({ storm }: Act): Promise<void> {
  await insist(storm, ['gza', 'sync'])
}

/** By its subject: a landing may have moved the branch since. */
async function commitFile(storm: StormRepo, path: string, subject: string): Promise<string> {
  await git(storm, 'commit', '--quiet', '--message', subject, '--', path)
  return git(storm, 'log', '-1', '--format=%H', '--fixed-strings', `--grep=${subject}`, 'HEAD')
}

function git(storm: StormRepo, ...args: string[]): Promise<string> {
  return insist(storm, ['git', ...args])
}

/**
 * Tries again while another git has the lock, has moved the branch, or is adding a worktree, which fetch cannot read. A
 * killed git leaves such a worktree, until the next worker removes it.
 */
async function insist(storm: StormRepo, argv: string[]): Promise<string> {
  for (const end = performance.now() + PATIENCE_MS; ; await Bun.sleep(25)) {
    const result = await storm.main.start(argv)
    if (result.code === 0) return result.stdout.trim()
    // A quiet stash says nothing at all about a lock.
    const isTaken =
      result.stderr === '' ||
      /\.lock\b|cannot lock ref|bad object worktrees|failed to read .*worktrees|Invalid path .*worktrees/.test(
        result.stderr,
      )
    moveLeftLocks(storm)
    if (!isTaken || performance.now() > end) throw new Error(`${argv.join(' ')}: ${result.stderr}`)
  }
}

const PATIENCE_MS = 90_000
