import { expect, test } from 'bun:test'
import type { ProcessEntry, ProcessTable } from '../../platform/processes/process-entry.ts'
import { keyOf, ownedProcesses, type RunTrace } from './owned-processes.ts'

const SELF = 10
const ROOT = { pid: 100, startedAt: 1000 }

test('descendants belong to a run, whatever session they are in', () => {
  const table = aTable({ pid: 101, parent: 100 }, { pid: 102, parent: 101, session: 102, group: 102 }, { pid: 103 })
  expect(owned(table)).toEqual([100, 101, 102])
})

test('a descendant that was seen once still belongs to the run when its parents are gone, and so do its later children', () => {
  const table = aTable({ pid: 102, session: 102 }, { pid: 103, parent: 102, session: 103 }, { pid: 104, session: 104 })
  expect(owned(table, { known: new Set([keyOf({ pid: 102, startedAt: 2000 })]) })).toEqual([100, 102, 103])
})

test('a process that reuses a known pid is not the known process', () => {
  const table = aTable({ pid: 102, startedAt: 3000, session: 102, group: 102 })
  expect(owned(table, { known: new Set([keyOf({ pid: 102, startedAt: 2000 })]) })).toEqual([100])
})

test('members of the first process’s session and group belong to the run even after it has ended', () => {
  const table = aTable({ pid: 101, session: 100, group: 101 }, { pid: 102, session: 102, group: 100 })
  expect(owned(without(table, 100))).toEqual([101, 102])
})

test('once another process has the first one’s pid, the session of that number does not belong to the run', () => {
  const table = aTable({ pid: 101, session: 100, group: 100, parent: 100, startedAt: 5001 })
  const reused = {
    ...table,
    entries: table.entries.map((entry) => (entry.pid === 100 ? { ...entry, startedAt: 5000 } : entry)),
  }
  expect(owned(reused)).toEqual([])
})

test('orphans that became children of the supervisor belong to the run whose marker they have, otherwise to none', () => {
  const table = aTable({ pid: 101, parent: SELF, session: 101 }, { pid: 102, parent: SELF, session: 102 })
  const carrying: ProcessTable['carrying'] = (marker, entries) =>
    entries.filter(({ pid }) => pid === 101 && marker === 'run-1')
  expect(owned({ ...table, carrying })).toEqual([100, 101])
  expect(owned({ ...table, carrying }, { marker: 'run-2', root: null })).toEqual([])
})

test('the supervisor and its ancestors never belong to a run, whatever their marker', () => {
  const table = aTable({ pid: 9, parent: 1, startedAt: 2000 }, { pid: 11, parent: SELF })
  expect(owned({ ...table, carrying: (_, entries) => [...entries] }, { root: null }).includes(9)).toBe(false)
  expect(owned({ ...table, carrying: (_, entries) => [...entries] }, { root: null }).includes(SELF)).toBe(false)
})

test('a process that is older than the run, or than its parent, does not belong to it', () => {
  const table = aTable({ pid: 101, parent: 100, startedAt: 999 }, { pid: 102, parent: 100, startedAt: 3000 })
  const older = aTable({ pid: 102, startedAt: 3000, session: 100 }, { pid: 103, parent: 102, startedAt: 2999 })
  expect(owned(table)).toEqual([100, 102])
  expect(owned(older)).toEqual([100, 102])
})

function owned(table: ProcessTable, trace: Partial<RunTrace> = {}): number[] {
  const whole = { marker: 'run-1', root: ROOT, known: new Set<string>(), ...trace }
  return ownedProcesses(table, whole)
    .map(({ pid }) => pid)
    .sort()
}

/** The supervisor (10, child of 9) with its run's first process (100), and the given others. */
function aTable(...others: (Partial<ProcessEntry> & { pid: number })[]): ProcessTable {
  const outside = { parent: 1, group: 1, session: 1, startedAt: 2000, isZombie: false }
  const self = { ...outside, pid: SELF, parent: 9, startedAt: 5 }
  const root = { ...outside, ...ROOT, parent: SELF, group: 100, session: 100 }
  const entries = [self, root, ...others.map((other) => ({ ...outside, ...other }))]
  return { entries, self: SELF, carrying: () => [] }
}

function without(table: ProcessTable, pid: number): ProcessTable {
  return { ...table, entries: table.entries.filter((entry) => entry.pid !== pid) }
}
