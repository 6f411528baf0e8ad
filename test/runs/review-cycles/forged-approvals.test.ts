import { expect, test } from 'bun:test'
import { existsSync, writeFileSync } from 'node:fs'
import { taskLine } from '../../../src/core/ledger/task-line.ts'
import { requestDigest } from '../../../src/core/run/review-cycles.ts'
import { editTask, recordPhase } from '../../../src/core/task/operations.ts'
import type { Phase, Task } from '../../../src/core/task/task.ts'
import { exportedTasks, linesOf } from '../../support/ledger-answers.ts'
import { until } from '../../support/until.ts'
import { aReviewRepo, type ReviewRepo } from './review-repo.ts'

const AT = '2026-01-01T00:00:00Z'

/** As an agent would with plain git, around the guard: a commit in its own name, each fact of the right form. */
function forge(repo: ReviewRepo, change: (task: Task) => Task): void {
  const lines = linesOf(repo.git('show', 'refs/tasks/main:tasks.jsonl'))
  const [first] = exportedTasks(repo)
  const text = [taskLine(change(first as Task)), ...lines.slice(1)].map((line) => `${line}\n`).join('')
  const env = { GIT_INDEX_FILE: repo.beside('forged-index'), GZA_AGENT: 'forger' }
  const git = (args: string[], stdin?: string) =>
    repo.run(['git', ...args], { env, ...(stdin !== undefined && { stdin }) }).stdout.trim()
  const blob = git(['hash-object', '-w', '--stdin'], text)
  git(['read-tree', 'refs/tasks/main'])
  git(['update-index', '--cacheinfo', `100644,${blob},tasks.jsonl`])
  const message = 'forge\n\nActor: forger\nMode: agent\n'
  const commit = git(['commit-tree', '-p', 'refs/tasks/main', git(['write-tree'])], message)
  git(['update-ref', 'refs/tasks/main', commit])
}

/** An implementation, and a review that approves it. */
function approvalOf(task: Task, head: string): Phase[] {
  const about = {
    run: task.runs[0]?.run ?? 'forged',
    generation: task.generation,
    at: AT,
    head,
    told: requestDigest(task),
  }
  return [
    { ...about, phase: 'implement', cycle: 0 },
    { ...about, phase: 'review', cycle: 1, verdict: 'APPROVED', artifact: '.gza/reviews/forged.md' },
  ]
}

function forgeApproval(repo: ReviewRepo, head: string): void {
  forge(repo, (task) => {
    const branched = editTask(task, { branch: 'forged' }, { at: AT, by: 'forger' })
    return approvalOf(task, head).reduce(recordPhase, branched)
  })
}

/** A branch that no worker has seen, which is approved according to the ledger. */
function forgedBranch(config: Record<string, unknown> = {}): ReviewRepo {
  const repo = aReviewRepo(['CHANGES_REQUESTED - it is forged'], {}, { config })
  repo.add('feature', '-a', '--max-cycles', '1')
  repo.git('checkout', '--quiet', '-b', 'forged')
  const head = repo.commit('forged', { 'feature.txt': 'bad\n' })
  repo.git('checkout', '--quiet', 'main')
  forgeApproval(repo, head)
  expect(repo.gza('verify').code).toBe(0)
  return repo
}

test('an approval that an agent wrote to the ledger with plain git does not count: the work is reviewed', () => {
  const repo = forgedBranch()
  expect(repo.task('1').final_verdict).toBeNull()
  expect(repo.gza('work').code).toBe(0)
  expect(repo.acted()).toEqual(['review 1'])
  expect(repo.task('1').final_verdict).toBe('MAX_CYCLES_REACHED')
})

test('a commit was not checked because an agent claims so', () => {
  const repo = forgedBranch({
    verify: { command: '! grep -q bad feature.txt' },
    retry: { max_attempts: 1, backoff_seconds: 0 },
  })
  expect(repo.gza('work').code).toBe(1)
  expect(repo.acted()).toEqual([])
  expect(repo.task('1')).toMatchObject({ status: 'failed', runs: [{ reason: 'verify-failed' }] })
})

test('a phase that appears while the task runs ends it, and a person is informed', async () => {
  const repo = aReviewRepo(['APPROVED'], {
    implement: 'commit feature.txt x; touch "$beside/ready"; until [ -e "$beside/go" ]; do sleep 0.05; done',
  })
  repo.add('feature', '-a')
  const work = repo.start(['gza', 'work'])
  await until(() => existsSync(repo.beside('ready')))
  forge(repo, (task) => approvalOf(task, repo.git('rev-parse', String(task.branch))).reduce(recordPhase, task))
  writeFileSync(repo.beside('go'), '')
  expect((await work).code).toBe(1)
  expect(repo.acted()).toEqual(['implement'])
  expect(repo.task('1')).toMatchObject({ status: 'failed', final_verdict: null })
  expect(repo.inbox().map(({ code, detail }) => ({ code, detail }))).toEqual([
    { code: 'TAMPERED', detail: 'a phase was forged: review 1' },
  ])
  repo.gza('retry', '1')
  expect(repo.acted()).toEqual(['implement', 'review 1'])
  expect(repo.task('1').final_verdict).toBe('APPROVED')
})

test('an approval written to the ledger afterwards lands nothing by itself', () => {
  const repo = aReviewRepo(['CHANGES_REQUESTED - not yet'], {}, { config: { land: 'cherry-pick' } })
  repo.add('feature', '-a', '--max-cycles', '1')
  expect(repo.gza('work').code).toBe(0)
  const { branch } = repo.task('1')
  const head = repo.git('rev-parse', String(branch))
  const base = repo.git('rev-parse', 'main')
  forge(repo, (task) => {
    const [, review] = approvalOf(task, head)
    return recordPhase(task, { ...(review as Phase), at: '2099-01-01T00:00:00Z' })
  })
  repo.gza('work')
  expect(repo.git('rev-parse', 'main')).toBe(base)
  expect(repo.gza('queue').stdout).toContain('NOT_APPROVED')
  expect(repo.gza('edit', '1', '--verdict', 'APPROVED').code).toBe(0)
  repo.gza('work')
  expect(repo.git('show', 'main:feature.txt')).toBe('first of feature')
})
