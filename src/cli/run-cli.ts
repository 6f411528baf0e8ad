import { resolve } from 'node:path'
import { run } from '@stricli/core'
import { asUserError } from '../core/machine-error.ts'
import type { Sentence } from '../core/sentence.ts'
import { UserError } from '../core/user-error.ts'
import { buildApp } from './build-app.ts'
import { readCallLine } from './call-line.ts'
import { errorLines, exitCodeOf, warningText } from './render/error.ts'
import type { Display, Env, Face } from './terminal/face.ts'
import { type Output, ReaderGone } from './terminal/output.ts'

export interface Call {
  argv: readonly string[]
  cwd: string
  env: Env
  display: Display
  out: Output
  err: Output
  warnings: Sentence[]
  isTerminal: (descriptor: number) => Promise<boolean>
  isFolder: (path: string) => boolean
}

/** One call of the program, from its arguments to its exit code. Everything that can go wrong ends here. */
export async function runCli(call: Call): Promise<number> {
  try {
    const code = await runCommand(call)
    print(call, '', warningText(call.warnings, call.display.name))
    return code
  } catch (error) {
    return report(error, call)
  }
}

/** Prints what went wrong; also for errors that no promise was waiting for. */
export function report(thrown: unknown, call: Call): number {
  if (thrown instanceof ReaderGone) return 0
  const error = asUserError(thrown)
  const { out, err } = errorLines(error, { json: asksForJson(call.argv), name: call.display.name })
  try {
    print(call, out, err + warningText(call.warnings, call.display.name))
  } catch {
    // Nobody is left to tell, and the exit code still tells.
  }
  return exitCodeOf(error)
}

function print(call: Call, out: string, err: string): void {
  call.out.write(out)
  call.out.flush()
  call.err.write(err)
  call.err.flush()
}

async function runCommand(call: Call): Promise<number> {
  const line = readCallLine(call.argv)
  const face = openFace(call, line.folders)
  await run(buildApp(call.display, line.words[0] ?? '--help'), line.words, face)
  return face.exitCode
}

function openFace(call: Call, folders: readonly string[]): Face {
  const process = { stdout: call.out, stderr: call.err }
  return { ...call, process, cwd: enter(call, folders), exitCode: 0 }
}

function enter({ cwd, isFolder }: Call, folders: readonly string[]): string {
  if (folders.length === 0) return cwd
  const folder = resolve(cwd, ...folders)
  if (isFolder(folder)) return folder
  throw new UserError('NO_SUCH_FOLDER', `There is no folder ${folder}`, { hint: 'Check what follows -C.', exitCode: 2 })
}

/** Without parsing: the arguments themselves may be what is wrong. */
function asksForJson(argv: readonly string[]): boolean {
  const end = argv.indexOf('--')
  return argv.slice(0, end < 0 ? undefined : end).includes('--json')
}
