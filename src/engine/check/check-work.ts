/**
 * Verifies that the work is what the task asked for, on exactly the commit that will be recorded. The worktree must be
 * at that commit, with nothing uncommitted, before and after the checks: a test that passes because of a file that was
 * never committed proves nothing.
 */

import type { TestCounts } from '../../core/run/test-counts.ts'
import type { GitPlace } from '../../platform/git/git.ts'
import { placeAt } from '../../platform/git/own-git.ts'
import { shellQuote } from '../guard/install-guard.ts'
import type { CheckFailure, CheckPlan } from './check-plan.ts'
import { missingFiles } from './missing-files.ts'
import { nameCommand, runCommand } from './run-command.ts'
import { whyNotAt, whyNotStillAt } from './same-tree.ts'

export interface CheckReport {
  ok: boolean
  commit: string
  failure: CheckFailure | null
  counts: TestCounts | null
  /** `output`: the last lines of a command; empty where none ran. */
  steps: { name: string; ok: boolean; ms: number; output: string }[]
}

export async function checkWork(plan: CheckPlan): Promise<CheckReport> {
  const report: CheckReport = { ok: true, commit: plan.commit, failure: null, counts: null, steps: [] }
  for (const { name, check } of checksOf(plan)) {
    const began = performance.now()
    const { failure, counts, output = '' } = await check()
    report.steps.push({ name, ok: failure === null, ms: Math.round(performance.now() - began), output })
    report.counts = counts ?? report.counts
    if (failure) return { ...report, ok: false, failure }
  }
  return report
}

interface Outcome {
  failure: CheckFailure | null
  counts?: TestCounts | null
  firstFailure?: string
  output?: string
}

interface Check {
  name: string
  check(): Outcome | Promise<Outcome>
}

function checksOf(plan: CheckPlan): Check[] {
  const { testFiles, testCommand, command } = plan
  const checks: Check[] = [
    { name: 'commit', check: () => checkTree(plan) },
    { name: 'files', check: () => checkFiles(plan) },
  ]
  if (testCommand !== null && testFiles.length > 0) {
    checks.push({ name: 'tests', check: () => checkTests(plan, withFiles(testCommand, testFiles)) })
  }
  if (command !== null) checks.push({ name: 'command', check: () => checkCommand(plan, command, 'command-failed') })
  return checks
}

/** The command line with the files, each quoted, because their names come from a task's text. */
function withFiles(command: string, files: readonly string[]): string {
  const words = files.map((file) => shellQuote(file.startsWith('-') ? `./${file}` : file)).join(' ')
  return command.includes('{files}') ? command.replaceAll('{files}', () => words) : `${command} ${words}`
}

async function checkTree(plan: CheckPlan): Promise<Outcome> {
  return fail('tree-changed', await whyNotAt(plan.repo, placeOf(plan), plan.commit))
}

/** A missing test file counts like any other missing file. */
function checkFiles(plan: CheckPlan): Outcome {
  const missing = missingFiles(placeOf(plan), plan.commit, [...plan.filesToCreate, ...plan.testFiles])
  return fail('files-missing', missing.length === 0 ? null : `Not in the commit: ${missing.join(', ')}`)
}

/** Exit code and counts decide: `jest || true` exits with 0, and tests that were all skipped prove nothing. */
async function checkTests(plan: CheckPlan, command: string): Promise<Outcome> {
  const { failure, counts = null, firstFailure = '', output = '' } = await checkCommand(plan, command, 'tests-failed')
  if (failure !== null || counts === null) return { failure, counts, output }
  if (counts.failed === 0 && counts.passed > 0) return { failure, counts, output }
  const result = counts.failed > 0 ? `${counts.failed} failed` : 'No test ran'
  const first = firstFailure === '' ? '' : `: ${firstFailure}`
  return { ...fail('tests-failed', `${result}, though ${nameCommand(command)} exited with 0${first}`), counts, output }
}

async function checkCommand(plan: CheckPlan, command: string, what: CheckFailure['what']): Promise<Outcome> {
  const { failure, ...about } = await runCommand(plan, command, what)
  const changed = await whyNotStillAt(plan.repo, placeOf(plan), plan.commit)
  return { failure: failure ?? fail('tree-changed', changed && `${nameCommand(command)} ${changed}`).failure, ...about }
}

function placeOf({ repo, env, path }: CheckPlan): GitPlace {
  return placeAt({ ...repo, env }, path)
}

function fail(what: CheckFailure['what'], detail: string | null): Outcome {
  return { failure: detail === null ? null : { what, detail } }
}
