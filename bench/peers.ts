import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type BenchTask, benchTasks, openIn } from './ledgers.ts'
import { type Env, makeRepo, type Place } from './place.ts'
import { type Probe, runQuietly } from './probe.ts'

export const PEER_COMMANDS = ['add', 'ready', 'list', 'show', 'search'] as const
export type PeerCommand = (typeof PEER_COMMANDS)[number]

/** Another task tracker, filled with the same tasks. */
export interface Peer {
  name: string
  version: string
  /** A store with this many tasks; null for a command that the peer does not have. */
  fill(name: string, tasks: number): Record<PeerCommand, Probe | null>
}

/** The installed peers, and a sentence for each one that is missing. */
export function findPeers(place: Place): { peers: Peer[]; missing: string[] } {
  const task = Bun.which('task')
  const backlog = process.env.BENCH_BACKLOG ?? Bun.which('backlog')
  const master = process.env.BENCH_TASK_MASTER ?? Bun.which('task-master')
  const missing = [
    ...(task ? [] : ['taskwarrior is not installed (no `task` on PATH): left out.']),
    ...(backlog ? [] : ['Backlog.md is not installed (no `backlog` on PATH, no BENCH_BACKLOG): left out.']),
    ...(master ? [] : ['Task Master is not installed (no `task-master` on PATH, no BENCH_TASK_MASTER): left out.']),
  ]
  const peers = [
    ...(task ? [taskwarrior(place, task)] : []),
    ...(backlog ? [backlogMd(place, backlog)] : []),
    ...(master ? [taskMaster(place, master)] : []),
  ]
  return { peers, missing }
}

function taskwarrior(place: Place, program: string): Peer {
  return {
    name: 'taskwarrior',
    version: versionOf(place, program),
    fill: (name, tasks) => {
      const dir = join(place.root, name)
      const env = emptyTaskwarrior(place, dir)
      const file = join(dir, 'tasks.json')
      writeFileSync(file, JSON.stringify(benchTasks(tasks, 'used').map(asTaskwarrior)))
      const call = (...args: string[]): Probe => ({ argv: [program, ...args], cwd: dir, env })
      runQuietly(call('import', file))
      return {
        ready: call('ready'),
        list: call('list'),
        // Its numbers count the open tasks only; by uuid it takes ten times as long.
        show: call(String(openIn(tasks)), 'info'),
        search: call(`description.contains:${wordOf(tasks)}`, 'all'),
        add: call('add', 'One more task'),
      }
    },
  }
}

/** A text that one task has: the last one, which is open. */
export function wordOf(tasks: number): string {
  return `Task ${tasks}:`
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
    fill: (name, tasks) => {
      const dir = makeRepo(place, name)
      const call = (...args: string[]): Probe => ({ argv: [program, ...args], cwd: dir, env: place.env })
      runQuietly(call('init', 'bench', '--defaults', '--integration-mode', 'none'))
      for (const task of benchTasks(tasks, 'used')) writeBacklogTask(dir, task)
      return {
        ready: call('task', 'list', '--status', 'To Do', '--plain'),
        list: call('task', 'list', '--plain'),
        show: call('task', String(tasks), '--plain'),
        search: call('search', wordOf(tasks), '--plain'),
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

/** Its own file, as `task-master add-task` writes it. It has no search. */
function taskMaster(place: Place, program: string): Peer {
  return {
    name: 'Task Master',
    version: versionOf(place, program),
    fill: (name, tasks) => {
      const dir = makeRepo(place, name)
      const env = { ...place.env, TASKMASTER_ANONYMOUS_TELEMETRY: 'false' }
      const call = (...args: string[]): Probe => ({ argv: [program, ...args], cwd: dir, env })
      mkdirSync(join(dir, '.taskmaster/tasks'), { recursive: true })
      writeFileSync(join(dir, '.taskmaster/state.json'), JSON.stringify({ currentTag: 'master' }))
      writeFileSync(join(dir, '.taskmaster/config.json'), JSON.stringify({ models: {}, global: {} }))
      const master = { tasks: benchTasks(tasks, 'used').map(asTaskMaster), metadata: { description: 'bench' } }
      writeFileSync(join(dir, '.taskmaster/tasks/tasks.json'), JSON.stringify({ master }, null, 2))
      return {
        ready: call('list', '--ready'),
        list: call('list', '--status', 'pending'),
        show: call('show', String(tasks)),
        search: null,
        // With a title and a description it asks no model.
        add: call('add-task', '--title', 'One more task', '--description', 'One more task'),
      }
    },
  }
}

function asTaskMaster({ number, content, isOpen, after }: BenchTask) {
  const dependencies = after === null ? [] : [after]
  const status = isOpen ? 'pending' : 'done'
  const texts = { title: content, description: content, details: '', testStrategy: '' }
  return { id: number, ...texts, status, dependencies, priority: 'medium', subtasks: [] }
}

function versionOf(place: Place, program: string): string {
  if (!existsSync(program)) throw new Error(`${program} does not exist`)
  return runQuietly({ argv: [program, '--version'], cwd: place.root, env: place.env }).trim()
}
