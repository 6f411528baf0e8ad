import { expect, test } from 'bun:test'
import { existsSync, writeFileSync } from 'node:fs'
import { toldDigest } from '../../../src/core/run/review-cycles.ts'
import { editTask, recordPhase } from '../../../src/core/task/operations.ts'
import type { Phase, Task } from '../../../src/core/task/task.ts'
import { taskLine } from '../../../src/core/task/task-line.ts'
import { exportedTasks, linesOf } from '../../support/ledger-answers.ts'
import { until } from '../../support/until.ts'
import { aLoop, type LoopStage } from './review-repo.ts'

const AT = '2026-01-01T00:00:00Z'

/** As an agent would with plain git, around the guard: a commit in its own name, each fact of the right form. */
function forge(stage: LoopStage, change: (task: Task) => Task): void {
  const lines = linesOf(stage.git('show', 'refs/tasks/main:tasks.jsonl'))
  const [first] = exportedTasks(stage)
  const text = [taskLine(change(first as Task)), ...lines.slice(1)].map((line) => `${line}\n`).join('')
  const env = { GIT_INDEX_FILE: stage.beside('forged-index'), GZA_AGENT: 'forger' }
  const git = (args: string[], stdin?: string) =>
    stage.run(['git', ...args], { env, ...(stdin !== undefined && { stdin }) }).stdout.trim()
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
    told: toldDigest(task),
  }
  return [
    { ...about, phase: 'implement', cycle: 0 },
    { ...about, phase: 'review', cycle: 1, verdict: 'APPROVED', artifact: '.gza/reviews/forged.md' },
  ]
}

function forgeApproval(stage: LoopStage, head: string): void {
  forge(stage, (task) => {
    const branched = editTask(task, { branch: 'forged' }, { at: AT, by: 'forger' })
    return approvalOf(task, head).reduce(recordPhase, branched)
  })
}

/** A branch that no worker has seen, of which the ledger says that it was approved. */
function forgedBranch(config: Record<string, unknown> = {}): LoopStage {
  const stage = aLoop(['CHANGES_REQUESTED - it is forged'], {}, { config })
  stage.add('feature', '-a', '--max-cycles', '1')
  stage.git('checkout', '--quiet', '-b', 'forged')
  const head = stage.commit('forged', { 'feature.txt': 'bad\n' })
  stage.git('checkout', '--quiet', 'main')
  forgeApproval(stage, head)
  expect(stage.gza('verify').code).toBe(0)
  return stage
}

test('an approval that an agent wrote to the ledger with plain git is none: the work is reviewed', () => {
  const stage = forgedBranch()
  expect(stage.task('1').final_verdict).toBeNull()
  expect(stage.gza('work').code).toBe(0)
  expect(stage.acted()).toEqual(['review 1'])
  expect(stage.task('1').final_verdict).toBe('MAX_CYCLES_REACHED')
})

test('nor was a commit checked because an agent says so', () => {
  const stage = forgedBranch({
    verify: { command: '! grep -q bad feature.txt' },
    retry: { max_attempts: 1, backoff_seconds: 0 },
  })
  expect(stage.gza('work').code).toBe(1)
  expect(stage.acted()).toEqual([])
  expect(stage.task('1')).toMatchObject({ status: 'failed', runs: [{ reason: 'verify-failed' }] })
})

test('a phase that appears while the task runs ends it: a person hears of it', async () => {
  const stage = aLoop(['APPROVED'], {
    implement: 'commit feature.txt x; touch "$stage/ready"; until [ -e "$stage/go" ]; do sleep 0.05; done',
  })
  stage.add('feature', '-a')
  const work = stage.start(['gza', 'work'])
  await until(() => existsSync(stage.beside('ready')))
  forge(stage, (task) => approvalOf(task, stage.git('rev-parse', String(task.branch))).reduce(recordPhase, task))
  writeFileSync(stage.beside('go'), '')
  expect((await work).code).toBe(1)
  expect(stage.acted()).toEqual(['implement'])
  expect(stage.task('1')).toMatchObject({ status: 'failed', final_verdict: null })
  expect(stage.inbox().map(({ code, detail }) => ({ code, detail }))).toEqual([
    { code: 'TAMPERED', detail: 'a phase was forged: review 1' },
  ])
  stage.gza('retry', '1')
  expect(stage.acted()).toEqual(['implement', 'review 1'])
  expect(stage.task('1').final_verdict).toBe('APPROVED')
})

test('an approval written to the ledger afterwards lands nothing by itself', () => {
  const stage = aLoop(['CHANGES_REQUESTED - not yet'], {}, { config: { land: 'cherry-pick' } })
  stage.add('feature', '-a', '--max-cycles', '1')
  expect(stage.gza('work').code).toBe(0)
  const { branch } = stage.task('1')
  const head = stage.git('rev-parse', String(branch))
  const base = stage.git('rev-parse', 'main')
  forge(stage, (task) => {
    const [, review] = approvalOf(task, head)
    return recordPhase(task, { ...(review as Phase), at: '2099-01-01T00:00:00Z' })
  })
  stage.gza('work')
  expect(stage.git('rev-parse', 'main')).toBe(base)
  expect(stage.gza('queue').stdout).toContain('NOT_APPROVED')
  expect(stage.gza('edit', '1', '--verdict', 'APPROVED').code).toBe(0)
  stage.gza('work')
  expect(stage.git('show', 'main:feature.txt')).toBe('first of feature')
})
