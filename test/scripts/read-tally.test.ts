import { expect, test } from 'bun:test'
import { readTally, secondTries, type Tally } from '../../scripts/read-tally.ts'
import { aRepo } from '../support/repo.ts'

const HEAD = "import { expect, test } from 'bun:test'\n"
const PASSES = `${HEAD}test('one', () => expect(1).toBe(1))\ntest('two', () => {})\n`

test('passed and failed tests are counted, whatever they print themselves', () => {
  const noisy = `${HEAD}test('bad', () => { console.log(' 7 pass'); console.log(' 9 fail'); expect(1).toBe(2) })\n`
  expect(tallyOf({ 'good.test.ts': PASSES, 'noisy.test.ts': noisy })).toEqual({ passed: 2, failed: 1 })
  expect(tallyOf({ 'good.test.ts': PASSES })).toEqual({ passed: 2, failed: 0 })
})

test('a file that cannot be loaded and one that ends the process are failures', () => {
  const unloadable = "import './missing.ts'\n"
  const deadly = `${HEAD}test('exits', () => process.exit(0))\n`
  expect(tallyOf({ 'good.test.ts': PASSES, 'bad.test.ts': unloadable })).toEqual({ passed: 2, failed: 1 })
  expect(tallyOf({ 'good.test.ts': PASSES, 'bad.test.ts': deadly })).toEqual({ passed: 2, failed: 1 })
})

test('no test at all is a failure', () => {
  expect(tallyOf({})).toEqual({ passed: 0, failed: 1 })
})

test('a test that passes only at its second try is told', () => {
  const shaky = `${HEAD}let n = 0\ntest('shaky', () => expect(n++).toBe(1))\ntest('bad', () => expect(1).toBe(2))\n`
  const { code, output } = outputOf({ 'good.test.ts': PASSES, 'shaky.test.ts': shaky }, '--retry=1')
  expect(readTally(code, output)).toEqual({ passed: 3, failed: 1 })
  expect(secondTries(output)).toEqual(['shaky'])
})

function tallyOf(files: Record<string, string>): Tally {
  const { code, output } = outputOf(files)
  return readTally(code, output)
}

function outputOf(files: Record<string, string>, ...flags: string[]): { code: number; output: string } {
  const repo = aRepo()
  for (const [path, text] of Object.entries(files)) repo.write(path, text)
  const { code, stdout, stderr } = repo.run([process.execPath, 'test', '--parallel', ...flags])
  return { code, output: stdout + stderr }
}
