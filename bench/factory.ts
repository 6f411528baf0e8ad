import { chmodSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Env, makeRepo, type Place } from './place.ts'
import { type Probe, runQuietly } from './probe.ts'

/** A repository with open tasks, and an agent that does each of them by committing one new file. */
export interface Factory {
  dir: string
  agent: string
  env: Env
  /** A line for each call of the agent: when it began and ended, in microseconds. */
  diary: string
}

export interface FactoryPlan {
  name: string
  tasks: number
  /** How long the agent thinks before it commits. */
  seconds: number
  /** The content of its gza.yaml, if it has one. */
  config?: string
  /** Of the person. Off unless a row is about boxes. */
  isolation?: 'off' | 'auto'
  /** How many files a checkout has, besides those that the agents add. */
  files?: number
}

const FEW_FILES = 20

export function makeFactory(place: Place, plan: FactoryPlan): Factory {
  const { name, tasks, seconds, config, isolation = 'off', files = FEW_FILES } = plan
  const dir = makeRepo(place, name)
  // In the home folder: an agent in a box has a /tmp of its own.
  const home = place.env.HOME ?? ''
  const diary = join(home, `${name}.diary`)
  const bin = join(home, `${name}-bin`)
  // Named like a client that reports immediately that its model answers. For any other, gza would wait for one trial run.
  const agent = join(bin, 'claude')
  const state = join(place.root, `${name}-state`)
  const own = join(place.root, `${name}-config`)
  const folders = { XDG_STATE_HOME: state, XDG_CONFIG_HOME: own }
  const env: Env = { ...place.env, PATH: `${bin}:${place.env.PATH}`, ...folders, GZA_TRUST: '1' }
  mkdirSync(bin, { recursive: true })
  mkdirSync(join(own, 'gza'), { recursive: true })
  isolate({ env }, isolation)
  writeFileSync(agent, agentScript(seconds, diary))
  chmodSync(agent, 0o755)
  if (config !== undefined) writeFileSync(join(dir, 'gza.yaml'), config)
  fillRepo({ dir, env }, files)
  importTasks(place, { dir, env }, tasks)
  ageSettings(join(dir, '.git/config'), join(env.HOME ?? '', '.gitconfig'))
  return { dir, agent, env, diary }
}

/** From now on. The person says it. */
export function isolate({ env }: Pick<Factory, 'env'>, isolation: 'off' | 'auto'): void {
  writeFileSync(join(env.XDG_CONFIG_HOME ?? '', 'gza/config.yaml'), `isolation: ${isolation}\n`)
}

/** Uses bash's own clock: starting a process to read the time would distort the measurement. */
function agentScript(seconds: number, diary: string): string {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: this is the shell's own expansion.
  const now = '${EPOCHREALTIME/[^0-9]/}'
  const thinks = seconds > 0
  return [
    thinks ? '#!/bin/bash' : '#!/bin/sh',
    'set -e',
    ...(thinks ? [`began=${now}`] : []),
    `echo '{"type":"assistant","message":{"content":[{"type":"text","text":"I begin"}]}}'`,
    ...(thinks ? [`sleep ${seconds}`] : []),
    // Named after its worktree: in a box every agent has the same process number, and equal files make equal commits.
    `part="part-${WORKTREE_NAME}"`,
    'echo done > "$part"',
    // Not all files: git takes those of the last second for changed, and no real agent is that fast.
    'git add "$part"',
    "git commit --quiet --message 'Do it'",
    ...(thinks ? [`echo "$began ${now}" >> '${diary}'`] : []),
    `echo '{"type":"result","subtype":"success","is_error":false,"result":"Done"}'`,
    '',
  ].join('\n')
}

// biome-ignore lint/suspicious/noTemplateCurlyInString: this is the shell's own expansion.
const WORKTREE_NAME = '${PWD##*/}'

type Site = Pick<Factory, 'dir' | 'env'>

/** Enough files to make a checkout cost something. */
function fillRepo({ dir, env }: Site, files: number): void {
  for (let file = 1; file <= files; file++) {
    const folder = join(dir, 'src', `part-${Math.ceil(file / FILES_OF_FOLDER)}`)
    if (file % FILES_OF_FOLDER === 1) mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, `module-${file}.txt`), `Module ${file}\n`)
  }
  runQuietly({ argv: ['git', 'add', '--all'], cwd: dir, env })
  runQuietly({ argv: ['git', 'commit', '--quiet', '--message', 'Sources'], cwd: dir, env })
}

const FILES_OF_FOLDER = 100

/** Makes settings old, as in most repositories. If they are seconds old, the guard cannot tell whether a run changed them. */
function ageSettings(...paths: string[]): void {
  const before = Date.now() / 1000 - 3600
  for (const path of paths) utimesSync(path, before, before)
}

export function importTasks(place: Place, { dir, env }: Site, tasks: number): void {
  const list = `${dir}.jsonl`
  const lines = Array.from({ length: tasks }, (_, index) => JSON.stringify({ content: `Do part ${index + 1}` }))
  writeFileSync(list, `${lines.join('\n')}\n`)
  runQuietly({ argv: [place.gza, 'import', list], cwd: dir, env })
}

/** `gza work` on the factory's tasks. */
export function workOn(place: Place, { dir, env }: Factory, ...args: string[]): Probe {
  return { argv: [place.gza, 'work', ...args], cwd: dir, env }
}
