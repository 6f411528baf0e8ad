import { expect, test } from 'bun:test'
import { readWaits } from './wait-text.ts'

const names = (text: string) =>
  readWaits(text).map((wait) => {
    if (wait.kind === 'range') return `${wait.from}..${wait.to}`
    if (wait.kind === 'before') return wait.which
    return wait.kind === 'name' ? wait.name : wait.kind === 'milestone' ? wait.id : `"${wait.text}"`
  })

test.each([
  ['T1', ['T1']],
  ['T1, T2 and T4', ['T1', 'T2', 'T4']],
  ['`T1`; **T2** & T3', ['T1', 'T2', 'T3']],
  ['T1 T2 T3', ['T1', 'T2', 'T3']],
  ['T1-T3', ['T1..T3']],
  ['Tasks 1-3', ['1..3']],
  ['T1 through T4', ['T1..T4']],
  ['Task 2.1 (the model), #4', ['2.1', '4']],
  ['T1: User model, T2 - Login', ['T1', 'T2']],
  ['[T1](#t1)', ['T1']],
  ['AUTH-3', ['AUTH-3']],
  ['Phase 1', ['M1']],
  ['Phase 2 complete', ['M2']],
  ['all previous tasks', ['all']],
  ['previous task', ['one']],
  ['task-a3f81b', ['task-a3f81b']],
  ['none', []],
  ['None (can start at once)', []],
  ['N/A', []],
  ['—', []],
  ['the database must be up', ['"the database must be up"']],
  ['2 weeks', ['"2 weeks"']],
  ['TBD', ['"TBD"']],
  ['#4 #5', ['4', '5']],
  ['issue #4', ['4']],
])('%s', (text, expected) => expect(names(text)).toEqual(expected))
