import { expect } from 'bun:test'
import type { ClientScenario } from '../client-repo.ts'

/** Processes, worktrees and uncommitted changes. */
export function expectNothingLeft(scenario: ClientScenario): void {
  const worktrees = scenario.repo.git('worktree', 'list').split('\n').length - 1
  const changes = scenario.repo.git('status', '--porcelain')
  expect({ processes: scenario.processes(), worktrees, changes }).toEqual({ processes: [], worktrees: 0, changes: '' })
}
