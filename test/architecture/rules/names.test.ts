import { expect, test } from 'bun:test'
import { forbiddenNames, forbiddenWords } from './names.ts'

test('the words are those of the glossary', () => {
  expect(forbiddenWords()).toEqual(expect.arrayContaining(['job', 'desk', 'shift', 'util', 'helper', 'manager']))
  expect(forbiddenWords('# Glossary\n\n## Never in code\n\njob, desk,\nshift\n\nMore.\n')).toEqual([
    'job',
    'desk',
    'shift',
  ])
  expect(() => forbiddenWords('# Glossary\n')).toThrow('"## Never in code"')
})

test.each([
  ['const job = 1', 'job'],
  ['export function takeJob(): void {}', 'takeJob'],
  ['function run({ job }: Order): void {}', 'job'],
  ['interface Desk {}', 'Desk'],
  ['interface Run {\n  openDesks(): void\n}', 'openDesks'],
  ['const JOB_LIMIT = 3', 'JOB_LIMIT'],
  [`say(\`\${(job) => job}\`)`, 'job'],
])('%j declares a forbidden name', (text, name) => {
  const [found = ''] = forbiddenNames([{ path: 'src/core/a.ts', text }], ['job', 'desk'])
  expect(found).toStartWith('src/core/a.ts:')
  expect(found).toContain(`: ${name} contains "`)
})

test('members of others, texts, comments, patterns and longer words are not names of ours', () => {
  const text = [
    "list.shift() // the job's desk",
    "print('job', `a desk`, /job's \\/ desk/)",
    '/* shift */ const shifted = jobless',
    'const half = a / b / job$desk',
  ].join('\n')
  expect(forbiddenNames([{ path: 'src/core/a.ts', text }], ['job', 'desk', 'shift'])).toEqual([
    'src/core/a.ts:4: job$desk contains "job", a word that is never used in code (docs/glossary.md)',
  ])
})

test('paths are names too', () => {
  expect(forbiddenNames([{ path: 'src/core/utils/take-job.ts', text: '' }], ['job', 'util'])).toEqual([
    'src/core/utils/take-job.ts: the path contains "utils", a word that is never used in code (docs/glossary.md)',
    'src/core/utils/take-job.ts: the path contains "job", a word that is never used in code (docs/glossary.md)',
  ])
})

test('what has its name from others keeps it', () => {
  const text = 'const packageManager = credentialHelper'
  expect(forbiddenNames([{ path: 'src/core/a.ts', text }], ['manager', 'helper'])).toEqual([])
  const column = 'const row = { heard: null }'
  expect(forbiddenNames([{ path: 'src/state/live/a.ts', text: column }], ['heard'])).toEqual([])
  expect(forbiddenNames([{ path: 'src/runs/a.ts', text: column }], ['heard'])).toHaveLength(1)
})
