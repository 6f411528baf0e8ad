import { expect, test } from 'bun:test'
import { until } from '../support/until.ts'
import { withoutEnd, withoutEndLines } from '../support/without-end.ts'
import { aGatedRepo, settled } from './gated-agent.ts'
import { onTerminal } from './pseudo-terminal.ts'

const TITLES = ['Write the parser', 'Write the lexer', 'Write the printer']

function threeTasks(script: string) {
  const repo = aGatedRepo(script)
  for (const title of TITLES) repo.gza('add', title, '-t', 'implement')
  return repo
}

/** Without what a person is told before the first task starts (scheduler/before-work.test.ts) and at the end. */
function sinceStart(lines: readonly string[]): string[] {
  return withoutEndLines(lines.slice(lines.findIndex((line) => line.startsWith('Running'))))
}

test('on a terminal each running task has one line, redrawn in place, and ordinary lines scroll above', async () => {
  const repo = threeTasks('for i in 1 2 3 4 5 6; do echo "step $i"; sleep 0.1; done; echo waiting; gate; commit')
  const terminal = onTerminal(['gza', 'work', '--all', '--workers', '2'], { cwd: repo.dir, env: repo.env })
  const waiting = (lines: string[]) => lines.filter((line) => line.endsWith('waiting')).length === 2
  expect(sinceStart(await terminal.until(waiting)).map(settled)).toEqual([
    'Running task #1: Write the parser',
    'Running task #2: Write the lexer',
    '#1  implementing  Ns  Write the parser  waiting',
    '#2  implementing  Ns  Write the lexer   waiting',
  ])
  expect(terminal.screen.isCursorShown()).toBe(true)
  repo.openGate()
  expect(await terminal.exited).toBe(0)
  const [first, second, ...rest] = sinceStart(terminal.screen.lines())
  expect([first, second, ...rest.sort()]).toEqual([
    'Running task #1: Write the parser',
    'Running task #2: Write the lexer',
    'Running task #3: Write the printer',
    '✓ Task #1 completed',
    '✓ Task #2 completed',
    '✓ Task #3 completed',
  ])
})

test('a line is cut to the width, and an agent that says a lot is shown a few times a second', async () => {
  const repo = threeTasks(
    'i=0; while [ $i -lt 3000 ]; do i=$((i + 1)); echo "line $i 漢字 and so on and on and on"; done; echo waiting for the gate to open; gate; commit',
  )
  const terminal = onTerminal(['gza', 'work'], { cwd: repo.dir, env: repo.env, columns: 40, rows: 12 })
  const began = Date.now()
  const lines = await terminal.until((shown) => shown.some((line) => line.includes('waiting')))
  const seconds = (Date.now() - began) / 1000
  expect(sinceStart(lines).map(settled)).toEqual([
    'Running task #1: Write the parser',
    '#1  implementing  Ns  waiting for the …',
  ])
  const redraws = terminal.written().split('\x1b[J').length - 1
  expect(redraws).toBeLessThan(8 * seconds + 6)
  repo.openGate()
  expect(await terminal.exited).toBe(0)
  expect(sinceStart(terminal.screen.lines()).slice(0, 2)).toEqual([
    'Running task #1: Write the parser',
    '✓ Task #1 completed',
  ])
})

test('where there are more running tasks than lines, the rest is counted', async () => {
  const repo = threeTasks('echo waiting; echo draft >"$branch.txt"; gate; commit')
  repo.gza('add', 'Write the docs')
  const place = { cwd: repo.dir, env: repo.env, columns: 60, rows: 5 }
  const terminal = onTerminal(['gza', 'work', '--all', '--workers', '4'], place)
  const lines = await terminal.until(
    (shown) => shown.at(-1) === '… 2 more' && shown.at(-2)?.endsWith('waiting') === true,
  )
  expect(lines.slice(-3).map(settled)).toEqual([
    '#1  implementing  Ns  Write the parser  waiting',
    '#2  implementing  Ns  Write the lexer   waiting',
    '… 2 more',
  ])
  repo.openGate()
  expect(await terminal.exited).toBe(0)
})

test('Ctrl-C says above the lines what it means, and twice it leaves nothing but ordinary lines', async () => {
  const repo = threeTasks('echo waiting; gate; commit')
  const terminal = onTerminal(['gza', 'work', '--all'], { cwd: repo.dir, env: repo.env, columns: 120 })
  await terminal.until((lines) => lines.some((line) => line.endsWith('waiting')))
  terminal.type('\x03')
  const lines = await terminal.until((shown) => shown.some((line) => line.startsWith('Stopping')))
  expect(sinceStart(lines).map(settled)).toEqual([
    'Running task #1: Write the parser',
    'Stopping when the running phases are finished. Ctrl-C again ends them now; their work is kept.',
    '#1  implementing  Ns  Write the parser  waiting',
  ])
  terminal.type('\x03')
  expect(await terminal.exited).toBe(1)
  expect(sinceStart(terminal.screen.lines()).map(settled)).toEqual([
    'Running task #1: Write the parser',
    'Stopping when the running phases are finished. Ctrl-C again ends them now; their work is kept.',
    'Task #1 interrupted; its work is kept on DATE-write-the-parser',
  ])
  expect(await until(() => repo.gza('ps').stdout === '')).toBe(true)
})

test('one Ctrl-C is one, also to git tasks, which git passes it on to a second time', async () => {
  const repo = aGatedRepo('echo waiting; gate; commit')
  repo.gza('add', 'Write the parser')
  const terminal = onTerminal(['git', 'tasks', 'work'], { cwd: repo.dir, env: repo.env, columns: 120 })
  await terminal.until((lines) => lines.some((line) => line.endsWith('waiting')))
  terminal.type('\x03')
  await terminal.until((lines) => lines.some((line) => line.startsWith('Stopping')))
  repo.openGate()
  await terminal.exited
  expect(sinceStart(terminal.screen.lines()).at(-1)).toBe('✓ Task #1 completed')
})

test('a terminal that can move no cursor gets plain lines', async () => {
  const repo = threeTasks('commit')
  const command = 'TERM=dumb exec gza work 1'
  const terminal = onTerminal(['sh', '-c', command], { cwd: repo.dir, env: repo.env })
  expect(await terminal.exited).toBe(0)
  expect(withoutEnd(terminal.written().replaceAll('\r', ''))).toBe(
    'No check is configured, so "completed" will only mean "committed": gza init proposes one, or set verify.command in gza.yaml.\n' +
      'Running task #1: Write the parser\n  #1 Implementing...\n  #1 Verifying...\n✓ Task #1 completed\n',
  )
})
