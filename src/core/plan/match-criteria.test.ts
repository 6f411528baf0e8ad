import { expect, test } from 'bun:test'
import { matchCriteria, readCriteria } from './match-criteria.ts'
import { readPlan } from './read-plan.ts'

test('criteria go to the task that speaks of the same things, or that they name', () => {
  const { tasks } = readPlan(`### T1: Store invitations
### T2: Send the invitation mail
### T3: Rotate the logs
Acceptance criteria:
- Old logs are dropped`)
  const criteria = readCriteria(`# Product
## Features
- mail
## Acceptance criteria
### Mail
- [ ] An invitation mail is sent within a minute
- Old logs are dropped
- Disks never fill up (T3)
- Pigs fly over the moon
## Else
- nothing`)
  expect(matchCriteria(tasks, criteria)).toEqual([
    { line: 9, why: "no task of the plan seems to fulfil 'Pigs fly over the moon'" },
  ])
  expect(tasks.map(({ acceptance_criteria }) => acceptance_criteria)).toEqual([
    [],
    ['An invitation mail is sent within a minute'],
    ['Old logs are dropped', 'Disks never fill up'],
  ])
})
