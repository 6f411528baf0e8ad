import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { bin } from '../support/built-program.ts'
import { descendantsOf, processesNaming } from '../support/running-processes.ts'
import { until } from '../support/until.ts'
import type { Choice } from './seeded-choice.ts'
import type { StormRepo } from './storm-repo.ts'

/** `gza`: the program alone. `all`: with every descendant. `agents`: some agents alone. */
export type Victim = 'gza' | 'all' | 'agents'
export type Kills = Record<Victim, number>

export const WORK = ['work', '--all', '--workers', '6']

export interface Killing {
  kills: Kills
  choice: Choice
  isOver: () => boolean
}

/** Lets workers work, and kills until all kills are done. Whenever the tasks run out, it adds some. */
export async function killWorkers(storm: StormRepo, { kills, choice, isOver }: Killing): Promise<void> {
  const victims = choice.shuffled(
    Object.entries(kills).flatMap(([victim, times]) => Array.from({ length: times }, () => victim as Victim)),
  )
  let worker = startWorker(storm)
  while (victims.length > 0 && !isOver()) {
    if (!(await isAtWork(storm, worker, choice))) {
      for (let n = 0; n < 3; n++) await storm.add(storm.main, choice)
      worker = startWorker(storm)
      continue
    }
    const victim = victims.pop() as Victim
    storm.note(`kill ${victim}`)
    kill(storm, worker, victim, choice)
    if (victim === 'agents') continue
    await worker.ended
    worker = startWorker(storm)
  }
  worker.child.kill('SIGKILL')
  await worker.ended
}

interface Worker {
  child: ChildProcess
  ended: Promise<void>
  hasEnded: boolean
}

function startWorker({ main }: StormRepo): Worker {
  const output = openSync(main.beside('workers.log'), 'a')
  const env = main.env as NodeJS.ProcessEnv
  const child = spawn(bin('gza'), WORK, { cwd: main.dir, env, stdio: ['ignore', output, output] })
  closeSync(output)
  const worker: Worker = { child, hasEnded: false, ended: Promise.resolve() }
  worker.ended = new Promise((resolve) =>
    child.once('exit', () => {
      worker.hasEnded = true
      resolve()
    }),
  )
  return worker
}

/** Waits for the n-th call of an agent or the next landing from now, and any short time after it. */
async function isAtWork(storm: StormRepo, worker: Worker, choice: Choice): Promise<boolean> {
  const calls = storm.calls() + choice.below(6)
  const moves = storm.moves()
  const isLanding = choice.below(3) === 0
  await until(
    () => worker.hasEnded || storm.calls() > calls || (isLanding && storm.moves() > moves),
    'the next call of an agent, or landing',
  )
  await Bun.sleep(choice.below(300))
  return !worker.hasEnded
}

function kill(storm: StormRepo, { child }: Worker, victim: Victim, choice: Choice): void {
  const gza = child.pid as number
  const agents = choice.shuffled(processesNaming(storm.main.beside('agent'))).slice(0, 1 + choice.below(3))
  end({ gza: [gza], all: [gza, ...descendantsOf(gza)], agents }[victim])
}

function end(pids: readonly number[]): void {
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
  }
}
