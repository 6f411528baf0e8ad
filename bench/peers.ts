import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type BenchTask, benchTasks, openIn } from './ledgers.ts'
import { type Env, makeRepo, type Place } from './place.ts'
import { type Probe, runQuietly } from './probe.ts'

export const PEER_COMMANDS = ['ready', 'next', 'show', 'add'] as const
export type PeerCommand = (typeof PEER_COMMANDS)[number]

/** Another task tracker, filled with the same tasks. */
export interface Peer {
  name: string
  version: string
  /** Larger ledgers are left out: they take minutes and show nothing new. */
  most: number
  /** A store with this many tasks; null for a command that the peer does not have. */
  fill(name: string, tasks: number): Record<PeerCommand, Probe | null>
}

/** The installed peers, and a sentence for each one that is missing. */
export function findPeers(place: Place): { peers: Peer[]; missing: string[] } {
  const task = Bun.which('task')
  const backlog = process.env.BENCH_BACKLOG ?? Bun.which('backlog')
  const missing = [
    ...(task ? [] : ['taskwarrior is not installed (no `task` on PATH): left out.']),
    ...(backlog ? [] : ['Backlog.md is not installed (no `backlog` on PATH, no BENCH_BACKLOG): left out.']),
  ]
  const peers = [...(task ? [taskwarrior(place, task)] : []), ...(backlog ? [backlogMd(place, backlog)] : [])]
  return { peers, missing }
}

function taskwarrior(place: Place, program: string): Peer {
  return {
    name: 'taskwarrior',
    version: versionOf(place, program),
    most: 100_000,
    fill: (name, tasks) => {
      const dir = join(place.root, name)
      const env = emptyTaskwarrior(place, dir)
      const file = join(dir, 'tasks.json')
      writeFileSync(file, JSON.stringify(benchTasks(tasks, 'used').map(asTaskwarrior)))
      const call = (...args: string[]): Probe => ({ argv: [program, ...args], cwd: dir, env })
      runQuietly(call('import', file))
      return {
        ready: call('ready'),
        next: call('next'),
        // Its numbers count the open tasks only; by uuid it takes ten times as long.
        show: call(String(openIn(tasks)), 'info'),
        add: call('add', 'One more task'),
      }
    },
  }
}

/** A separate folder and default settings; only its questions are turned off. */
function emptyTaskwarrior(place: Place, dir: string): Env {
  mkdirSync(join(dir, 'data'), { recursive: true })
  writeFileSync(join(dir, 'taskrc'), `data.location=${join(dir, 'data')}\nconfirmation=off\n`)
  return { ...place.env, TASKRC: join(dir, 'taskrc'), TASKDATA: join(dir, 'data') }
}

function asTaskwarrior({ number, content, isOpen, after }: BenchTask) {
  const entry = '20240101T000000Z'
  return {
    uuid: uuidOf(number),
    description: content,
    entry,
    ...(isOpen ? { status: 'pending' } : { status: 'completed', end: '20240102T000000Z' }),
    ...(after !== null && { depends: [uuidOf(after)] }),
  }
}

function uuidOf(number: number): string {
  return `00000000-0000-4000-8000-${number.toString(16).padStart(12, '0')}`
}

function backlogMd(place: Place, program: string): Peer {
  return {
    name: 'Backlog.md',
    version: versionOf(place, program),
    most: 10_000,
    fill: (name, tasks) => {
      const dir = makeRepo(place, name)
      const call = (...args: string[]): Probe => ({ argv: [program, ...args], cwd: dir, env: place.env })
      runQuietly(call('init', 'bench', '--defaults', '--integration-mode', 'none'))
      for (const task of benchTasks(tasks, 'used')) writeBacklogTask(dir, task)
      return {
        ready: call('task', 'list', '--status', 'To Do', '--plain'),
        next: null,
        show: call('task', String(tasks), '--plain'),
        add: call('task', 'create', 'One more task'),
      }
    },
  }
}

/** The file that `backlog task create` writes, and the folder to which `backlog cleanup` moves finished tasks. */
function writeBacklogTask(dir: string, { number, content, isOpen, after }: BenchTask): void {
  const dependencies = after === null ? 'dependencies: []' : `dependencies:\n  - TASK-${after}`
  const text = `---
id: TASK-${number}
title: '${content}'
status: ${isOpen ? 'To Do' : 'Done'}
assignee: []
created_date: '2024-01-01 00:00'
labels: []
${dependencies}
ordinal: ${number * 1000}
---

`
  writeFileSync(join(dir, 'backlog', isOpen ? 'tasks' : 'completed', `task-${number} - Task-${number}.md`), text)
}

function versionOf(place: Place, program: string): string {
  if (!existsSync(program)) throw new Error(`${program} does not exist`)
  return runQuietly({ argv: [program, '--version'], cwd: place.root, env: place.env }).trim()
}
