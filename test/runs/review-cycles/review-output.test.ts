import { expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { settled } from '../../live-output/gated-agent.ts'
import { onTerminal } from '../../live-output/pseudo-terminal.ts'
import { withoutEndLines } from '../../support/without-end.ts'
import { aReviewRepo } from './review-repo.ts'

test('on a terminal the lines of a review cycle scroll above the one that shows the current phase', async () => {
  const repo = aReviewRepo(['CHANGES_REQUESTED - one', 'APPROVED'], {
    improve: 'save feature.txt better; echo waiting; hold improve',
  })
  repo.add('feature', '-t', 'implement', '-a', '--max-cycles', '2')
  const terminal = onTerminal(['gza', 'work'], { cwd: repo.dir, env: repo.env })
  const lines = await terminal.until((shown) => shown.at(-1)?.endsWith('waiting') === true)
  const first = lines.findIndex((line) => line.startsWith('Running'))
  expect(lines.slice(first).map(settled)).toEqual([
    'Running task #1: feature',
    '  [1/2] Implementing...',
    '  [1/2] Implementation complete',
    '  [1/2] Running review...',
    '  [1/2] Review: CHANGES_REQUESTED - one',
    '  [2/2] Improving...',
    '#1  improving  Ns  feature  waiting',
  ])
  writeFileSync(repo.beside('go-improve'), '')
  expect(await terminal.exited).toBe(0)
  expect(withoutEndLines(terminal.screen.lines().slice(first + 6))).toEqual([
    '  [2/2] Running review...',
    '  [2/2] Review: APPROVED',
    '✓ Task #1 completed (APPROVED after 2 cycles)',
  ])
})

test('with --json the lines go to stderr, and what was completed to stdout', () => {
  const repo = aReviewRepo(['APPROVED'])
  repo.add('feature', '-a')
  const { code, stdout, stderr } = repo.gza('work', '--json')
  expect(code).toBe(0)
  expect(stderr).toContain('  [1/3] Review: APPROVED\n')
  expect(JSON.parse(stdout)).toMatchObject({ completed: [{ number: 1 }] })
})
