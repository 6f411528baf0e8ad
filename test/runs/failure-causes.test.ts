import { expect, test } from 'bun:test'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { outputOf } from '../support/ledger-answers.ts'
import { anAgentRepo } from '../support/scripted-agent.ts'

/** A test of node's own runner, and as many others that pass as make its output long. */
const TESTS = `const { test } = require('node:test')
const assert = require('node:assert')
const { add } = require('./math.js')
test('adds two numbers', () => assert.strictEqual(add(1, 2), 3))
for (let i = 0; i < 100; i++) test('passes ' + i, () => {})
`
const CAUSE = 'adds two numbers: Expected values to be strictly equal: 4 !== 3'

test('a failed check names the test and its message wherever the failure is shown, not the counts of its runner', () => {
  const repo = anAgentRepo(
    { break: 'commit math.js "exports.add = (a, b) => a + b + 1 // $RANDOM"' },
    {
      files: { 'math.js': 'exports.add = (a, b) => a + b\n', 'math.test.js': TESTS },
      defaults: { max_attempts: 2 },
      config: { verify: { command: 'node --test --test-reporter=tap' } },
    },
  )
  const sent = repo.beside('sent')
  const settings = join(repo.env.HOME ?? '', '.config/gza')
  mkdirSync(settings, { recursive: true })
  writeFileSync(join(settings, 'config.yaml'), JSON.stringify({ notify: { command: `cat >> ${sent}` } }))
  repo.add('break')
  const line = `command-failed: node --test --test-reporter=tap exited with 1: ${CAUSE}`
  const { stdout, stderr } = repo.gza('work')
  expect(stdout + stderr).toContain(`✗ Task #1 failed: verify-failed (attempt 2)\n  ${line}\n`)
  expect(repo.calls().at(-1)?.prompt).toContain(line)
  expect(repo.gza('show', '1').stdout).toContain(`\nfailure: verify-failed: ${line}\n`)
  expect(repo.inbox()).toMatchObject([{ code: 'VERIFY_FAILED', detail: line }])
  expect(repo.gza('logs', '1').stdout).toContain(`  ${line}\n`)
  expect(readFileSync(sent, 'utf8')).toContain(CAUSE)
})

test('several failures are counted in the first line and listed below it, for the next attempt', () => {
  const output = `FAILED test_cart.py::test_total - assert 3 == 4\nFAILED test_cart.py::test_tax - KeyError: 'vat'\n2 failed in 0.02s`
  const repo = anAgentRepo(
    { work: `save output.txt "$(printf "${output.replaceAll('\n', '\\n')}")" && commit out.txt 1` },
    { defaults: { max_attempts: 2 }, config: { verify: { command: '! cat output.txt' } } },
  )
  repo.add('work')
  repo.gza('work', '1')
  const prompt = repo.calls().at(-1)?.prompt
  expect(prompt).toContain('exited with 1: test_cart.py::test_total: assert 3 == 4 (and 1 more)\n')
  expect(prompt).toContain("Also failed: test_cart.py::test_tax: KeyError: 'vat'\n")
})

test('of an output without a known form, the last meaningful line is the cause', () => {
  const repo = anAgentRepo({}, { config: { verify: { command: 'echo two shelves are empty; echo ====; exit 3' } } })
  repo.add('one')
  repo.gza('work', '1')
  expect(repo.inbox()[0]?.detail).toEndWith('exited with 3: two shelves are empty')
})

test('an agent that crashes is explained by the last lines of its client on stderr', () => {
  const repo = anAgentRepo({ crash: 'echo starting; echo "Error: no model named x" >&2; exit 4' })
  repo.add('crash')
  repo.gza('work')
  const [item] = repo.inbox()
  expect(item?.detail).toContain('Error: no model named x')
  expect(outputOf(repo.gza('show', '1'))).toContain('\nfailure: agent-error: ')
})
