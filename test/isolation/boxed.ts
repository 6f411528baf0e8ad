import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { compile } from '../../scripts/compile.ts'
import type { Level } from '../../src/core/isolation/levels.ts'
import type { BoxPlan } from '../../src/engine/isolation/box/box-plan.ts'
import type { PhaseEnd } from '../../src/engine/supervise/phase-cause.ts'
import { bin } from '../support/built-program.ts'
import { runProcess } from '../support/run-process.ts'

export interface BoxedCall {
  level: Level
  plan: BoxPlan
  argv: string[]
  cwd: string
  env: Record<string, string>
  marker: string
  stdin?: string
  graceMs?: number
  /** The caller cancels when this line is printed. */
  cancelAt?: string
  /** The supervisor ends as the program did. */
  showExit?: boolean
}

export interface BoxedResult {
  end: PhaseEnd
  survivors: number
  out: string[]
  err: string[]
}

/** Who runs gza. Tests that run as root do everything as an ordinary user too. */
export interface Person {
  name: string
  uid: number
  /** What becomes this user and then the program that follows. */
  become: readonly string[]
}

const NOBODY = 65534
const IS_ROOT = process.getuid?.() === 0

export const PERSONS: readonly Person[] = IS_ROOT
  ? [
      { name: 'root', uid: 0, become: [] },
      {
        name: 'an ordinary user',
        uid: NOBODY,
        become: ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups', '--'],
      },
    ]
  : [{ name: 'an ordinary user', uid: process.getuid?.() ?? 0, become: [] }]

/** Not in the folder for temporary files: a box has its own. */
const folder = realpathSync(mkdtempSync('/var/tmp/gza-boxed-'))
const runner = join(folder, 'run-boxed')
const gza = join(folder, 'gza')

/** Makes the programs that the tests need, where an ordinary user may run them. Returns the levels for each person. */
export async function prepareBoxes(): Promise<Map<Person, Level[]>> {
  chmodSync(folder, 0o755)
  await compile({ source: new URL('run-boxed.ts', import.meta.url).pathname, outfile: runner })
  copyFileSync(bin('gza'), gza)
  for (const program of [runner, gza]) chmodSync(program, 0o755)
  return new Map(PERSONS.map((person) => [person, levelsOf(person)]))
}

export function removeBoxes(): void {
  rmSync(folder, { recursive: true, force: true })
}

function levelsOf(person: Person): Level[] {
  const printed = runProcess([...person.become, runner, gza], { env: { PATH: process.env.PATH } }).stdout
  const faults = JSON.parse(printed) as Record<Level, string | null>
  for (const [level, why] of Object.entries(faults))
    if (why !== null) console.warn(`NOT TESTED: the level ${level} as ${person.name}: ${why}`)
  return (Object.keys(faults) as Level[]).filter((level) => faults[level] === null && level !== 'none')
}

/** A person's folders, as a run would find them. */
export interface Scene {
  home: string
  client: string
  secrets: string
  /** Hidden, with `objects` visible in it. */
  repository: string
  objects: string
  worktree: string
  /** What is shown at `.git` of the worktree. */
  gitfile: string
  temporary: string
  plan: BoxPlan
}

let scenes = 0

export function aScene({ uid }: Person): Scene {
  const top = join(folder, `scene-${++scenes}`)
  const at = (...names: string[]): string => join(top, ...names)
  const files = {
    [at('home', '.ssh', 'key')]: 'secret\n',
    [at('home', '.client', 'settings')]: 'settings\n',
    [at('repository', '.git', 'config')]: 'config\n',
    [at('repository', '.git', 'objects', 'one')]: 'one\n',
    [at('repository', '.git', 'objects', 'deep', 'two')]: 'two\n',
    [at('worktree', '.git')]: 'real\n',
    [at('worktree', 'file')]: 'file\n',
    [at('run', 'gitfile')]: 'shown\n',
    [at('run', 'tmp', 'mine')]: 'mine\n',
  }
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
  if (IS_ROOT) spawnSync('chown', ['-R', `${uid}:${uid}`, top])
  const [objects, secrets, worktree] = [at('repository', '.git', 'objects'), at('home', '.ssh'), at('worktree')]
  const over = [
    { from: at('run', 'gitfile'), to: join(worktree, '.git'), access: 'read-only' },
    { from: at('run', 'tmp'), to: '/tmp', access: 'writable' },
  ] as const
  return {
    ...{ home: at('home'), client: at('home', '.client'), secrets, repository: at('repository'), objects, worktree },
    ...{ gitfile: at('run', 'gitfile'), temporary: at('run', 'tmp') },
    plan: {
      hidden: [secrets, at('repository'), at('run')],
      readOnly: [objects],
      writable: [worktree],
      over,
      network: true,
      home: 'writable',
    },
  }
}

export interface ScriptOptions extends Partial<BoxedCall> {
  person: Person
  level: Level
  scene: Scene
}

export function runScript(script: string, options: ScriptOptions): BoxedResult {
  const { code, stdout, stderr } = runProcess(commandLine(script, options), { env: { PATH: process.env.PATH } })
  if (code !== 0) throw new Error(stderr)
  return JSON.parse(stdout)
}

/** The same without waiting: the process is the supervisor. */
export function startScript(script: string, options: ScriptOptions): ChildProcess {
  const [program = '', ...args] = commandLine(script, options)
  return spawn(program, args, { stdio: ['ignore', 'ignore', 'inherit'], env: { PATH: process.env.PATH } })
}

function commandLine(script: string, { person, scene, ...given }: ScriptOptions): string[] {
  const marker = given.marker ?? `run-${crypto.randomUUID()}`
  const call: BoxedCall = {
    plan: scene.plan,
    argv: ['sh', '-c', script],
    cwd: scene.worktree,
    marker,
    ...given,
    env: { PATH: process.env.PATH ?? '', HOME: scene.home, GZA_RUN: marker, ...given.env },
  }
  return [...person.become, runner, gza, JSON.stringify(call)]
}

/** Every path below a folder. */
export function treeOf(top: string): string[] {
  return readdirSync(top, { recursive: true, encoding: 'utf8' }).sort()
}
