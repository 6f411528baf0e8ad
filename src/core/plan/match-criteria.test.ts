import { expect, test } from 'bun:test'
import { readCriteria } from '../plan-fields/read-criteria.ts'
import { readPlan } from '../plan-markdown/markdown-plan.ts'
import { matchCriteria } from './match-criteria.ts'

test('criteria go to the task about the same things, or to the one they name', () => {
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
    { line: 9, why: "no task of the plan seems to cover 'Pigs fly over the moon'" },
  ])
  expect(tasks.map(({ acceptance_criteria }) => acceptance_criteria)).toEqual([
    [],
    ['An invitation mail is sent within a minute'],
    ['Old logs are dropped', 'Disks never fill up'],
  ])
})

test('criteria of a product are below headings and labels, and end where something else begins', () => {
  const criteria = readCriteria(`# Product
### Login
**Acceptance criteria:**

- [ ] Users can log in
  with a password
- Sessions expire (T2)

That is all.
- no criterion
### Export
- **Priority:** high
- **Acceptance Criteria**
  - Given a table
  - When it is exported
  - Then it has a header
- **Notes:** none
- Done when: the file opens
### Import
Acceptance criteria
1. Rows are read
2. Update: rows are replaced
**Files:**
- a.ts
## ✅ Acceptance Criteria
- Note: it is fast
- It is small`)
  expect(criteria.map(({ text, line }) => `${line} ${text}`)).toEqual([
    '5 Users can log in with a password',
    '7 Sessions expire (T2)',
    '14 Given a table When it is exported Then it has a header',
    '18 the file opens',
    '21 Rows are read',
    '22 Update: rows are replaced',
    '26 Note: it is fast',
    '27 It is small',
  ])
})
