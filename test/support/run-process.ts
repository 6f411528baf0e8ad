import { spawn, spawnSync } from 'node:child_process'
import { constants } from 'node:os'

export type Env = Record<string, string | undefined>

/** A process that was ended by a signal has the code a shell would give it: 128 and the signal's number. */
export interface Result {
  code: number
  stdout: string
  stderr: string
}

export interface RunOptions {
  cwd?: string
  env?: Env
  stdin?: string
  /** Milliseconds until SIGKILL. */
  timeout?: number
}

const LONGEST = 120_000

export function runProcess([program = '', ...args]: string[], options: RunOptions): Result {
  const result = spawnSync(program, args, {
    cwd: options.cwd,
    env: definedOnly(options.env),
    encoding: 'utf8',
    maxBuffer: 1024 ** 3,
    timeout: options.timeout ?? LONGEST,
    killSignal: 'SIGKILL',
    stdio: [options.stdin === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    ...(options.stdin === undefined ? {} : { input: options.stdin }),
  })
  if (result.error && result.status === null && result.signal === null) throw result.error
  return { code: exitCode(result.status, result.signal), stdout: result.stdout, stderr: result.stderr }
}

export function startProcess([program = '', ...args]: string[], options: RunOptions): Promise<Result> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd: options.cwd,
      env: definedOnly(options.env),
      timeout: options.timeout ?? LONGEST,
      killSignal: 'SIGKILL',
    })
    const stdout: Buffer[] = []
    const stderr: Buffer[] = []
    child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk))
    child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk))
    child.on('error', reject)
    child.on('close', (status, signal) =>
      resolve({ code: exitCode(status, signal), stdout: text(stdout), stderr: text(stderr) }),
    )
    // A program that exits before it has read everything is the test's subject, not an error of this file.
    child.stdin.on('error', () => {})
    child.stdin.end(options.stdin ?? '')
  })
}

function text(chunks: Buffer[]): string {
  return Buffer.concat(chunks).toString('utf8')
}

function exitCode(status: number | null, signal: NodeJS.Signals | null): number {
  if (status !== null) return status
  return 128 + (signal === null ? 0 : constants.signals[signal])
}

function definedOnly(env: Env = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined))
}
