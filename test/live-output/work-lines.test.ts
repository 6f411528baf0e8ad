import { expect, test } from 'bun:test'
import { spawn } from 'node:child_process'
import { bin } from '../support/built-program.ts'
import { until } from '../support/until.ts'
import { withoutEnd } from '../support/without-end.ts'
import { aGatedRepo, settled } from './gated-agent.ts'

const FAILS_ONCE = 'echo "attempt $attempt"; commit'
const SECOND_PASSES = 'verify: { command: "cat *.txt; grep -q 2 *.txt" }\n'

test('without a terminal each thing that happens is a line, and a retry says which attempt it is', () => {
  const repo = aGatedRepo(FAILS_ONCE, SECOND_PASSES)
  repo.gza('add', 'Write the parser')
  expect(repo.gza('work', '--no-base-check', '--all')).toEqual({
    code: 0,
    stdout: `Running task #1: Write the parser
  #1 Working...
  #1 Verifying...
✗ Task #1 failed: verify-failed (attempt 1)
  command-failed: cat *.txt; grep -q 2 *.txt exited with 1: 1
Running task #1: Write the parser (attempt 2)
  #1 Working...
  #1 Verifying...
✓ Task #1 completed
`,
    stderr: 'completed:  #1\nnot landed: #1\ncost:       unknown (scripted reports none)\nnext:       gza merge 1\n',
  })
})

test('with --json the lines go to stderr, and stdout is one value', () => {
  const repo = aGatedRepo('commit')
  repo.gza('add', 'Write the parser', '-t', 'implement')
  const { code, stdout, stderr } = repo.gza('work', '--json')
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: `Running task #1: Write the parser
  #1 Implementing...
  #1 Verifying...
✓ Task #1 completed
`,
  })
  expect(JSON.parse(stdout)).toEqual({
    completed: [
      {
        number: 1,
        id: expect.stringMatching(/^task-/),
        run: expect.any(String),
        branch: expect.stringMatching(/-write-the-parser$/),
      },
    ],
    failed: [],
    interrupted: [],
    asked: [],
    paused: [],
    day_budget: null,
    deadlock: null,
    base_red: null,
    landing: null,
    summary: null,
    refused: [],
    down: [],
    error: null,
    end: expect.objectContaining({ completed: [{ number: 1, id: expect.any(String) }], next: 'gza merge 1' }),
  })
})

test('`git tasks run` says the same, and what the agent prints', () => {
  const repo = aGatedRepo('commit; git tasks done "$(printf %s "$1" | grep -o "task-[0-9a-f]*" | head -n 1)"')
  repo.tasks('add', 'Write the parser')
  const { code, stdout } = repo.tasks('run', '--once')
  expect({ code, stdout: stdout.replace(/task-[0-9a-f]+/, 'task-ID') }).toEqual({
    code: 0,
    stdout: `Running task #1: Write the parser
  #1 Working...
  task-ID: done
  #1 Verifying...
✓ Task #1 completed
All tasks complete!
Run: git tasks pr
`,
  })
})

test('no escape of a title or of a check reaches the output', () => {
  const repo = aGatedRepo('commit', `verify: { command: "printf '\\\\033[31mred\\\\n'; exit 1" }\n`)
  repo.gza('add', 'Write \u001b[31mthe parser', '--max-attempts', '1')
  const { stdout, stderr } = repo.gza('work', '--no-base-check')
  expect(withoutEnd(settled(stdout + stderr))).toBe(`Running task #1: Write \\x1b[31mthe parser
  #1 Working...
  #1 Verifying...
✗ Task #1 failed: verify-failed (attempt 1)
  command-failed: printf '\\033[31mred\\n'; exit 1 exited with 1: red
`)
})

test('what the first Ctrl-C means is printed at once, not when the work is over', async () => {
  const repo = aGatedRepo('echo here; gate; commit')
  repo.gza('add', 'Write the parser')
  const child = spawn(bin('gza'), ['work'], { cwd: repo.dir, env: repo.env as NodeJS.ProcessEnv })
  const said = { stdout: '', stderr: '' }
  child.stdout.on('data', (chunk) => {
    said.stdout += chunk
  })
  child.stderr.on('data', (chunk) => {
    said.stderr += chunk
  })
  const closed = new Promise((resolve) => child.on('close', resolve))
  await until(() => repo.gza('ps').stdout.includes('here'))
  child.kill('SIGINT')
  await until(() => said.stderr !== '')
  expect(said.stderr).toBe(
    'Stopping when the running phases are finished. Ctrl-C again ends them now; their work is kept.\n',
  )
  repo.openGate()
  await closed
  expect(said.stdout).toEndWith('✓ Task #1 completed\n')
})
