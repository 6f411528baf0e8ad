import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeRepo, type Place } from './place.ts'
import { type Probe, runQuietly } from './probe.ts'

export interface Ledger {
  dir: string
  tasks: number
}

/** Most tasks are done, as in any ledger in use; or all of them are open and have no dependencies. */
export type Kind = 'used' | 'all open'

export interface BenchTask {
  number: number
  content: string
  isOpen: boolean
  /** The number of the task it depends on. */
  after: number | null
}

/** One in a hundred is open, but at least five. Every second open task depends on the one before it. */
export function benchTasks(count: number, kind: Kind): BenchTask[] {
  const open = kind === 'all open' ? count : openIn(count)
  return Array.from({ length: count }, (_, index) => {
    const number = index + 1
    const isOpen = number > count - open
    const waits = kind === 'used' && number > 1 && number % (isOpen ? 2 : 5) === 0
    return { number, content: contentOf(number), isOpen, after: waits ? number - 1 : null }
  })
}

export function openIn(count: number): number {
  return Math.max(5, Math.round(count / 100))
}

function contentOf(number: number): string {
  return `Task ${number}: let module ${number % 97} handle case ${number % 13} of the protocol, and say so in its manual`
}

export function makeLedger(place: Place, tasks: number, kind: Kind = 'used'): Ledger {
  const dir = makeRepo(place, `${kind.replace(' ', '-')}-${tasks}`)
  runQuietly(importOf(place, dir, writeLines(place, tasks, kind)))
  return { dir, tasks }
}

/** The command that imports the file into the repository's ledger. */
export function importOf(place: Place, dir: string, file: string): Probe {
  return { argv: [place.gza, 'import', file], cwd: dir, env: place.env }
}

/** JSONL as a person or a script would write it, one task per line. */
export function writeLines(place: Place, tasks: number, kind: Kind): string {
  const lines = benchTasks(tasks, kind).map(({ number, content, isOpen, after }) =>
    JSON.stringify({
      id: `t${number}`,
      content,
      status: isOpen ? 'pending' : 'completed',
      ...(after !== null && { after: `t${after}` }),
    }),
  )
  const file = join(place.root, `${kind.replace(' ', '-')}-${tasks}.jsonl`)
  writeFileSync(file, `${lines.join('\n')}\n`)
  return file
}

/** For measurements that write, so that the ledger for reading keeps its size. */
export function copyLedger(place: Place, ledger: Ledger, name: string): Ledger {
  const dir = join(place.root, name)
  cpSync(ledger.dir, dir, { recursive: true })
  return { ...ledger, dir }
}
