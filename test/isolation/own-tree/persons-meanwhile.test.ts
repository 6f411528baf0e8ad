import { expect, test } from 'bun:test'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { spawnProgram } from '../../support/spawn-gza.ts'
import { until } from '../../support/until.ts'
import { expectNothingLeft } from '../runs/isolated-repo.ts'
import { anOwnTree, BOXES, DONE, type OwnTreeRepo } from './own-tree-repo.ts'

/** Waits for the person in the middle of its work. */
const PAUSE = 'touch "$beside/waiting"; until [ -e "$beside/go" ]; do sleep 0.02; done'
const ACT = `commit first.txt agent; ${PAUSE}; commit a.txt agent; ${DONE}`

const FILES = { 'a.txt': 'a\n', 'p.txt': 'p\n', 'q.txt': 'q\n' }

async function whileAgentWaits(repo: OwnTreeRepo, person: () => void): Promise<string> {
  repo.add('Work')
  const run = spawnProgram(repo, repo.runLine('--once'))
  await until(() => existsSync(repo.beside('waiting')))
  person()
  writeFileSync(repo.beside('go'), '')
  await run.ended
  return run.printed()
}

const read = (repo: OwnTreeRepo, path: string): string => readFileSync(join(repo.dir, path), 'utf8')

for (const level of BOXES) {
  test(`${level}: a person’s commits on the branch are joined, and what the person has staged elsewhere stays staged`, async () => {
    const repo = anOwnTree(level, { Work: ACT }, { files: FILES })
    const printed = await whileAgentWaits(repo, () => {
      repo.write('p.txt', 'person\n')
      repo.git('commit', '-qm', 'person', '--', 'p.txt')
      repo.git('tag', 'persons')
    })
    expect(repo.task('1'), printed).toMatchObject({
      status: 'completed',
      runs: [{ outcome: 'completed', isolation: level }],
    })
    expect(repo.git('status', '--porcelain')).toBe('')
    expect(repo.git('merge-base', '--is-ancestor', 'persons', 'main')).toBe('')
    expect([read(repo, 'p.txt'), read(repo, 'a.txt')]).toEqual(['person\n', 'agent\n'])
    expect(repo.git('log', '--format=%s', '--no-merges', 'main').split('\n').sort()).toEqual([
      ...['Work: a.txt', 'Work: first.txt', 'first', 'person'],
    ])
    expect(repo.inbox()).toEqual([])
    expectNothingLeft(repo)
  })

  test(`${level}: both have changed the same lines: nothing is lost, and the run says so`, async () => {
    const act = `${PAUSE}; commit a.txt agent; ${DONE}`
    const repo = anOwnTree(level, { Work: act }, { files: FILES })
    const printed = await whileAgentWaits(repo, () => {
      repo.write('a.txt', 'person\n')
      repo.git('commit', '-qam', 'person')
    })
    expect(printed).toContain('main was moved meanwhile by somebody else, and both have changed the same lines')
    expect(repo.git('log', '-1', '--format=%s', 'main')).toBe('person')
    expect(repo.git('show', 'main:a.txt')).toBe('person')
    expect(repo.task('1')).toMatchObject({ status: 'pending', runs: [{ outcome: 'failed', reason: 'dirty-tree' }] })
    const kept = repo.git('for-each-ref', '--format=%(refname)', 'refs/gza/kept').split('\n')
    expect(kept).toHaveLength(1)
    expect(repo.git('show', `${kept[0]}:a.txt`)).toBe('agent')
    expect(repo.git('show', ':a.txt')).toBe('person')
  })

  test(`${level}: staged and unstaged edits of a person stay, and the tree counts as dirty`, async () => {
    const repo = anOwnTree(level, { Work: ACT }, { files: FILES })
    const printed = await whileAgentWaits(repo, () => {
      repo.write('p.txt', 'staged\n')
      repo.git('add', 'p.txt')
      repo.write('q.txt', 'edited\n')
    })
    expect(printed).toContain('uncommitted changes: p.txt')
    expect(repo.git('status', '--porcelain')).toBe('M  p.txt\n M q.txt')
    expect(repo.git('log', '-1', '--format=%s', 'main')).toBe('Work: a.txt')
    expect([read(repo, 'p.txt'), read(repo, 'q.txt')]).toEqual(['staged\n', 'edited\n'])
    expect(repo.task('1')).toMatchObject({ status: 'pending', runs: [{ outcome: 'failed', reason: 'dirty-tree' }] })
    expectNothingLeft(repo)
  })

  test(`${level}: an amended commit of the person is not undone`, async () => {
    const repo = anOwnTree(level, { Work: ACT }, { files: FILES })
    const printed = await whileAgentWaits(repo, () => {
      repo.git('commit', '-q', '--amend', '-m', 'amended')
    })
    expect(printed).toContain('main was rewritten meanwhile, and not by its agent')
    expect(repo.git('log', '--format=%s', 'main')).toBe('amended')
    expect(repo.git('for-each-ref', '--format=%(contents:subject)', 'refs/gza/kept')).toBe('Work: a.txt')
    expect(repo.inbox()).toEqual([])
  })

  test(`${level}: a person who switches to another branch keeps it, and the agent’s commits are on the first one`, async () => {
    const repo = anOwnTree(level, { Work: ACT }, { files: FILES })
    const printed = await whileAgentWaits(repo, () => {
      repo.git('switch', '-q', '-c', 'elsewhere')
    })
    expect(printed).toContain('The working tree has uncommitted changes: a.txt and 1 more')
    expect(repo.git('log', '-1', '--format=%s', 'main')).toBe('Work: a.txt')
    expect(repo.git('log', '-1', '--format=%s', 'elsewhere')).toBe('first')
  })
}
