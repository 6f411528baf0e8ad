import { expect, test } from 'bun:test'
import { answersOf, exportedTasks, outputOf, rebuiltAnswers } from '../support/ledger-answers.ts'
import { aRepo, type Repo, type Result } from '../support/repo.ts'

const ROOM = 180_000

function contentsOf(repo: Repo, ledger: string): string[] {
  return exportedTasks(repo, '--branch', ledger)
    .map(({ content }) => content)
    .sort()
}

function numbered(name: string, count: number): string[] {
  return Array.from({ length: count }, (_, n) => `${name} ${n}`)
}

async function addAll(repo: Repo, contents: readonly string[], ...flags: string[]): Promise<Result[]> {
  const results: Result[] = []
  for (const content of contents) results.push(await repo.start(['gza', 'add', content, ...flags]))
  return results
}

/** Runs git commands in turn until the work is done. */
async function meanwhile<T>(
  repo: Repo,
  commands: string[][],
  work: Promise<T>,
): Promise<{ result: T; rounds: number }> {
  let isDone = false
  const watched = work.finally(() => {
    isDone = true
  })
  let rounds = 0
  for (; !isDone; rounds++) outputOf(await repo.start(['git', ...(commands[rounds % commands.length] as string[])]))
  return { result: await watched, rounds }
}

test(
  'writers in linked worktrees share a ledger and keep their own, while git packs refs and collects garbage',
  async () => {
    const repo = aRepo()
    repo.commit('first')
    const worktrees = ['red', 'green', 'blue'].map((branch) => ({ branch, tree: repo.worktree(branch) }))
    const writers = worktrees.flatMap(({ branch, tree }) => [
      addAll(tree, numbered(`${branch} for main`, 15), '--branch', 'main'),
      addAll(tree, numbered(branch, 10)),
    ])
    const housekeeping = [
      ['pack-refs', '--all'],
      ['pack-refs', '--all', '--prune'],
      ['gc', '--quiet'],
    ]
    const { result, rounds } = await meanwhile(repo, housekeeping, Promise.all(writers))
    expect(result.flat().filter(({ code }) => code !== 0)).toEqual([])
    expect(rounds).toBeGreaterThanOrEqual(housekeeping.length)

    expect(contentsOf(repo, 'main')).toEqual(
      worktrees.flatMap(({ branch }) => numbered(`${branch} for main`, 15)).sort(),
    )
    for (const { branch } of worktrees) expect(contentsOf(repo, branch)).toEqual(numbered(branch, 10).sort())
    expect(repo.git('for-each-ref', '--format=%(refname)', 'refs/tasks', 'refs/gza').split('\n')).toEqual(
      ['blue', 'green', 'main', 'red'].map((ledger) => `refs/tasks/${ledger}`),
    )
    const verified = outputOf(repo.gza('verify', '--all-branches'))
    for (const ledger of ['blue', 'green', 'red']) expect(verified).toContain(`${ledger}: ok (10 commits, 10 tasks)`)
    expect(verified).toContain('main: ok (45 commits, 45 tasks)')
    expect(answersOf(repo)).toEqual(rebuiltAnswers(repo))
  },
  ROOM,
)

test('a ledger that exists only in packed-refs is read and written like any other', () => {
  const repo = aRepo()
  outputOf(repo.gza('add', 'one'))
  repo.git('pack-refs', '--all', '--prune')
  outputOf(repo.gza('add', 'two'))
  repo.git('pack-refs', '--all', '--prune')
  repo.git('gc', '--quiet')
  expect(contentsOf(repo, 'main')).toEqual(['one', 'two'])
  expect(answersOf(repo)).toEqual(rebuiltAnswers(repo))
})

test(
  'a writer that does not take our lock loses nothing either: the second one to swap decides again',
  async () => {
    const repo = aRepo()
    outputOf(repo.gza('add', 'first'))
    const other = repo.clone()
    other.git('fetch', '--quiet', 'origin', 'refs/tasks/*:refs/tasks/*')
    const syncs = async (): Promise<Result[]> => {
      const results: Result[] = []
      for (const content of numbered('other', 12)) {
        results.push(await other.start(['gza', 'add', content]))
        results.push(await other.start(['gza', 'sync', 'origin']))
      }
      return results
    }
    const results = await Promise.all([addAll(repo, numbered('mine', 40)), syncs()])
    expect(results.flat().filter(({ code }) => code !== 0)).toEqual([])
    expect(contentsOf(repo, 'main')).toEqual(['first', ...numbered('mine', 40), ...numbered('other', 12)].sort())
    expect(repo.gza('verify').code).toBe(0)
    expect(answersOf(repo)).toEqual(rebuiltAnswers(repo))
  },
  ROOM,
)
