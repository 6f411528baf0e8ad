import { expect, test } from 'bun:test'
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { aRepo, type Repo as TestRepo } from '../../../test/support/repo.ts'
import { findRepo, type Repo } from '../../platform/git/find-repo.ts'
import { appendTipLines, guardWitness, readTipLines, type TipLine } from './witness-tips.ts'

test('the record is read back unchanged, and invalid lines are left out', () => {
  const { repo } = aLedger()
  expect(readTipLines(repo)).toEqual([])
  const lines = [aLine({ before: 'a' }), aLine({ before: 'a', after: 'b', ended: true, why: 'it is gone' })]
  appendTipLines(repo, lines)
  appendFileSync(join(repo.commonDir, 'gza/guard/tips.jsonl'), '{"at":1}\nrubbish\n\n')
  expect(readTipLines(repo)).toEqual(lines)
})

test('a ledger that continued from the recorded tip agrees', () => {
  const { repo, first, second, third } = aLedger()
  appendTipLines(repo, [aLine({ before: first }), aLine({ before: first, after: second, ended: true })])
  expect(guardWitness(repo, LEDGER, [third])).toEqual({ name: 'guard', state: 'agrees', detail: 'recorded tips: 2' })
})

test('a rewound, forked or replaced ledger differs, and the witness names the run', () => {
  const { repo, first, second, fork } = aLedger()
  appendTipLines(repo, [aLine({ before: first, after: second, ended: true, run: 'r7' })])
  const detail = `${second.slice(0, 10)}, recorded at 2025-01-02T10:30:00Z in run r7, is not in its history`
  expect(guardWitness(repo, LEDGER, [first])).toEqual({ name: 'guard', state: 'differs', detail })
  expect(guardWitness(repo, LEDGER, [fork])).toEqual({ name: 'guard', state: 'differs', detail })
})

test('a recorded commit that is missing in the repository differs', () => {
  const { repo, third } = aLedger()
  const gone = '12'.repeat(20)
  appendTipLines(repo, [aLine({ before: gone })])
  expect(guardWitness(repo, LEDGER, [third])).toMatchObject({ state: 'differs' })
})

test('a bad step is reported, but its end is not a witness', () => {
  const { repo, first, second, fork } = aLedger()
  appendTipLines(repo, [aLine({ before: first, after: fork, ended: true, why: 'forged' })])
  expect(guardWitness(repo, LEDGER, [second])).toEqual({
    name: 'guard',
    state: 'warns',
    detail: '2025-01-02T10:30:00Z in run r1: forged; recorded tips: 1',
  })
})

test('the record of one ledger is not used for another', () => {
  const { repo, first } = aLedger()
  appendTipLines(repo, [aLine({ ledger: 'refs/tasks/other', before: first })])
  expect(guardWitness(repo, LEDGER, [first]).state).toBe('missing')
})

const LEDGER = 'refs/tasks/main'

function aLine(fields: Partial<TipLine>): TipLine {
  return {
    at: '2025-01-02T10:30:00Z',
    ledger: LEDGER,
    before: null,
    after: null,
    run: 'r1',
    ended: false,
    why: null,
    ...fields,
  }
}

/** first - second - third, and a fork after first. */
function aLedger(): { repo: Repo; first: string; second: string; third: string; fork: string } {
  const test = aRepo()
  const first = test.commit('first')
  const second = test.commit('second')
  const third = test.commit('third')
  return {
    repo: open(test),
    first,
    second,
    third,
    fork: test.git('commit-tree', '-p', first, '-m', 'fork', `${first}^{tree}`),
  }
}

function open(test: TestRepo): Repo {
  return findRepo(test.dir, test.env)
}
