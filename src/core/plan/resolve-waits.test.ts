import { expect, test } from 'bun:test'
import { readPlan } from './read-plan.ts'

/** For each task with dependencies, those; and what is wrong, or not clear, with its line. */
function understood(text: string): string[] {
  const { tasks, problems, warnings } = readPlan(text)
  const waiting = tasks.filter(({ dependencies }) => dependencies.length > 0)
  return [
    ...waiting.map(({ key, dependencies }) => `${key}: ${dependencies.map((other) => other.key).join(' ')}`),
    ...[...problems, ...warnings].map(({ line, why }) => `${line}: ${why}`),
  ]
}

test('a title is one name, whatever words and signs are in it', () => {
  const text = `## Phase 1: Users and sessions
### A1: Login and logout
### A2: Users, roles & rights
## Phase 2: Rest
### A3: c
Depends on: Login and logout
### A4: d
Depends on: "Users, roles & rights", A3
### A5: e
Depends on: A1: Login and logout, A4 (pages, forms)
### A6: f
Depends on: Users and sessions
### A7: g
Depends on: Login and luck`
  expect(understood(text)).toEqual([
    'A3: A1',
    'A4: A2 A3',
    'A5: A1 A4',
    'A6: A1 A2',
    "14: 'Login' names no task; it is kept as text",
    "14: 'luck' names no task; it is kept as text",
  ])
})

test('a child waits for none of those that it is a part of, however many stand before it', () => {
  const text = `### T1: a
#### T1.1: b
Depends on: previous task
#### T1.2: c
Depends on: all previous tasks
### T2: d
Depends on: previous task
#### T2.1: e
Depends on: everything above`
  expect(understood(text)).toEqual(['T1.2: T1.1', 'T2: T1', 'T2.1: T1 T1.2'])
})

test('all others are all before the last task, and unclear elsewhere', () => {
  const text = '### T1: a\n### T2: b\nDepends on: all\n### T3: c\nDepends on: all other tasks\n#### T3.1: d'
  expect(understood(text)).toEqual([
    'T3: T1 T2',
    'T3.1: T1 T2',
    "3: 'all' is not clear, because more tasks follow; it is kept as text",
  ])
})
