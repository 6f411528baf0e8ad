import { expect, test } from 'bun:test'
import { readTally, type Tally } from '../../scripts/read-tally.ts'
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

function tallyOf(files: Record<string, string>): Tally {
  const repo = aRepo()
  for (const [path, text] of Object.entries(files)) repo.write(path, text)
  const { code, stdout, stderr } = repo.run([process.execPath, 'test', '--parallel'])
  return readTally(code, stdout + stderr)
}
