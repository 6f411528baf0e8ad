import type { Sentence } from '../core/sentence.ts'
import { UserError } from '../core/user-error.ts'
import type { CallContext, Env, McpFace, RunPager, WebFace } from './call-context.ts'
import { type CallLine, readCallLine } from './call-line.ts'
import { readPlainArguments } from './plain-arguments.ts'
import type { Display } from './terminal/display.ts'
import { type Output, ReaderGone } from './terminal/output.ts'
import { findCommand } from './tree/find-command.ts'
import { VERSION } from './version.ts'

export interface Call {
  argv: readonly string[]
  cwd: string
  env: Env
  display: Display
  out: Output
  err: Output
  warnings: Sentence[]
  isTerminal: (descriptor: number) => Promise<boolean>
  isTerminalNow: (descriptor: number) => boolean
  endingSignals: () => readonly NodeJS.Signals[]
  clock: () => number
  /** The folder that these lead to, one after the other, and whether it exists. */
  follow: (from: string, folders: readonly string[]) => { folder: string; exists: boolean }
  page: RunPager
  mcp: () => Promise<McpFace>
  web: () => Promise<WebFace>
  /** Set if the call comes from inside a box. */
  judge?: Judge
}

/** Throws if a call from inside a box may not be made. */
export interface Judge {
  /** The folders of `-C`. */
  folders(folders: readonly string[]): void
  command(name: string, flags: Readonly<Record<string, unknown>>, args: readonly unknown[]): void
}

/** One call of the program, from its arguments to its exit code. All errors are caught here. */
export async function runCli(call: Call): Promise<number> {
  try {
    const code = await runCommand(call)
    await call.out.finish()
    if (call.warnings.length > 0) call.err.write(rendering().warningText(call.warnings, call.display.name))
    await call.err.finish()
    return code
  } catch (error) {
    return report(error, call)
  }
}

/** Prints an error; also called for unhandled rejections and exceptions. */
export function report(thrown: unknown, call: Call): number {
  if (thrown instanceof ReaderGone) return 0
  const { asUserError }: typeof import('../core/machine-error.ts') = require('../core/machine-error.ts')
  const { agentReader }: typeof import('./agent-reader.ts') = require('./agent-reader.ts')
  const { errorLines, exitCodeOf, warningText } = rendering()
  const error = asUserError(thrown)
  const { out, err } = errorLines(error, {
    json: asksForJson(call.argv),
    name: call.display.name,
    agent: agentReader(call.env),
  })
  try {
    print(call, out, err + warningText(call.warnings, call.display.name))
  } catch {
    // The output is closed. The exit code still reports the error.
  }
  return exitCodeOf(error)
}

/** Loaded only for an error or a warning. */
function rendering(): typeof import('./render/error.ts') {
  return require('./render/error.ts')
}

function print(call: Call, out: string, err: string): void {
  call.out.write(out)
  call.out.flush()
  call.err.write(err)
  call.err.flush()
}

async function runCommand(call: Call): Promise<number> {
  const line = readCallLine(call.argv)
  call.judge?.folders(line.folders)
  const context = openContext(call, line)
  if (isVersion(line.words)) context.out.write(`${context.display.name} ${VERSION}\n`)
  else if (!(await runPlainly(context, line.words, call.judge))) await runWithStricli(context, line.words, call.judge)
  return context.exitCode
}

function isVersion([word, ...rest]: readonly string[]): boolean {
  return rest.length === 0 && (word === '--version' || word === '-v')
}

/** Runs a clearly valid call without loading stricli. Returns false, and does nothing, for all other calls. */
async function runPlainly(
  context: CallContext,
  [name = '', ...words]: readonly string[],
  judge?: Judge,
): Promise<boolean> {
  const command = await findCommand(name)
  const plain = command === undefined ? null : readPlainArguments(command.parameters(), words)
  if (command === undefined || plain === null) return false
  judge?.command(name, plain.flags, plain.args)
  const { default: handler } = await command.loader()
  if (context.display.height !== null) pager().holdForPager(context, plain.flags)
  await handler.call(context, plain.flags as never, ...(plain.args as never[]))
  return true
}

/** Loaded only on a terminal. */
function pager(): typeof import('./terminal/hold-for-pager.ts') {
  return require('./terminal/hold-for-pager.ts')
}

/** All other calls: help, other forms of flags, and invalid calls. */
function runWithStricli(context: CallContext, words: readonly string[], judge?: Judge): Promise<void> {
  return Promise.all([import('@stricli/core'), import('./build-app.ts')]).then(
    ([{ run }, { buildApp, joinNegatedFlags }]) =>
      run(buildApp(context.display, words[0] ?? '--help', judge?.command), joinNegatedFlags(words), context),
  )
}

function openContext(call: Call, { folders, isPaged }: CallLine): CallContext {
  const process = { stdout: call.out, stderr: call.err }
  const display = isPaged ? call.display : { ...call.display, height: null }
  return { ...call, display, process, cwd: enter(call, folders), exitCode: 0 }
}

function enter({ cwd, follow }: Call, folders: readonly string[]): string {
  if (folders.length === 0) return cwd
  const { folder, exists } = follow(cwd, folders)
  if (exists) return folder
  throw new UserError('NO_SUCH_FOLDER', `There is no folder ${folder}`, {
    hint: 'Check the folder after -C.',
    exitCode: 2,
  })
}

/** Does not parse the arguments, because they may be the error. */
function asksForJson(argv: readonly string[]): boolean {
  const end = argv.indexOf('--')
  return argv.slice(0, end < 0 ? undefined : end).includes('--json')
}
