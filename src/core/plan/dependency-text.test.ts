import { expect, test } from 'bun:test'
import { readDependencyText } from './dependency-text.ts'

const names = (text: string) =>
  readDependencyText(text).map((wait) => {
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
  ['everything above', ['all']],
  ['every previous task', ['all']],
  ['all the tasks above', ['all']],
  ['preceding tasks', ['all']],
  ['all other tasks', ['others']],
  ['all', ['others']],
  ['all except T3', ['"all except T3"']],
  ['T1 or T2', ['T1', 'T2']],
  ['T1 then task 2, A1 as well as A2', ['T1', '2', 'A1', 'A2']],
  ['T1 with the schema', ['T1']],
  ['T1/T2 | T3', ['T1', 'T2', 'T3']],
  ['Phases 1-3', ['M1', 'M2', 'M3']],
  ['Phase 1 to Phase 2, T4', ['M1', 'M2', 'T4']],
  ['Phases 1, 2 and 4', ['M1', 'M2', 'M4']],
  ['Phase 1 and T2', ['M1', 'T2']],
  ['Phase 1, 2', ['M1', '2']],
  ['Phase 3-1', ['M3']],
  ['all tasks in Phase 2', ['M2']],
  ['all Phase 2 tasks, completion of Phase 3', ['M2', 'M3']],
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
