import { expect, test } from 'bun:test'
import type { ProcessEntry, ProcessTable } from '../../platform/processes/process-entry.ts'
import { keyOf, ownedProcesses, type RunTrace } from './owned-processes.ts'

const SELF = 10
const ROOT = { pid: 100, startedAt: 1000 }

test('descendants are a run’s, whatever session they are in', () => {
  const table = aTable({ pid: 101, parent: 100 }, { pid: 102, parent: 101, session: 102, group: 102 }, { pid: 103 })
  expect(owned(table)).toEqual([100, 101, 102])
})

test('a descendant seen once stays one when its parents are gone, and its later children are too', () => {
  const table = aTable({ pid: 102, session: 102 }, { pid: 103, parent: 102, session: 103 }, { pid: 104, session: 104 })
  expect(owned(table, { known: new Set([keyOf({ pid: 102, startedAt: 2000 })]) })).toEqual([100, 102, 103])
})

test('a pid that was given to another process is not the one that was known', () => {
  const table = aTable({ pid: 102, startedAt: 3000, session: 102, group: 102 })
  expect(owned(table, { known: new Set([keyOf({ pid: 102, startedAt: 2000 })]) })).toEqual([100])
})

test('members of the first process’s session and group are a run’s also after it has ended', () => {
  const table = aTable({ pid: 101, session: 100, group: 101 }, { pid: 102, session: 102, group: 100 })
  expect(owned(without(table, 100))).toEqual([101, 102])
})

test('once another process has the first one’s pid, the session of that number is another’s', () => {
  const table = aTable({ pid: 101, session: 100, group: 100, parent: 100, startedAt: 5001 })
  const reused = {
    ...table,
    entries: table.entries.map((entry) => (entry.pid === 100 ? { ...entry, startedAt: 5000 } : entry)),
  }
  expect(owned(reused)).toEqual([])
})

test('orphans that came back to the supervisor belong to the run whose marker they carry, else to none', () => {
  const table = aTable({ pid: 101, parent: SELF, session: 101 }, { pid: 102, parent: SELF, session: 102 })
  const carries = ({ pid }: ProcessEntry, marker: string) => pid === 101 && marker === 'run-1'
  expect(owned({ ...table, carries })).toEqual([100, 101])
  expect(owned({ ...table, carries }, { marker: 'run-2', root: null })).toEqual([])
})

test('the supervisor and those above it are never a run’s, whatever they carry', () => {
  const table = aTable({ pid: 9, parent: 1, startedAt: 2000 }, { pid: 11, parent: SELF })
  expect(owned({ ...table, carries: () => true }, { root: null }).includes(9)).toBe(false)
  expect(owned({ ...table, carries: () => true }, { root: null }).includes(SELF)).toBe(false)
})

test('a process older than the run, or than its parent, is no part of it', () => {
  const table = aTable({ pid: 101, parent: 100, startedAt: 999 }, { pid: 102, parent: 100, startedAt: 3000 })
  const older = aTable({ pid: 102, startedAt: 3000, session: 100 }, { pid: 103, parent: 102, startedAt: 2999 })
  expect(owned(table)).toEqual([100, 102])
  expect(owned(older)).toEqual([100, 102])
})

function owned(table: ProcessTable, trace: Partial<RunTrace> = {}): number[] {
  const whole = { marker: 'run-1', root: ROOT, known: new Set<string>(), self: SELF, ...trace }
  return ownedProcesses(table, whole)
    .map(({ pid }) => pid)
    .sort()
}

/** The supervisor (10, below 9) with its run's first process (100), and what else is said. */
function aTable(...others: (Partial<ProcessEntry> & { pid: number })[]): ProcessTable {
  const outside = { parent: 1, group: 1, session: 1, startedAt: 2000, isZombie: false }
  const self = { ...outside, pid: SELF, parent: 9, startedAt: 5 }
  const root = { ...outside, ...ROOT, parent: SELF, group: 100, session: 100 }
  return { entries: [self, root, ...others.map((other) => ({ ...outside, ...other }))], carries: () => false }
}

function without(table: ProcessTable, pid: number): ProcessTable {
  return { ...table, entries: table.entries.filter((entry) => entry.pid !== pid) }
}
