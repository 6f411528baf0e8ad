import { command, commandLine, type Sentence, sentence, sentenceText } from '../../../core/sentence.ts'
import { firstLine } from '../../../core/text/first-line.ts'
import { printable } from '../../../core/text/printable.ts'
import type { FirstCheck, NotChecked } from '../../../exchange/init/check-base-once.ts'
import type { ConfigProposal } from '../../../exchange/init/propose-config.ts'
import type { SetupPlan } from '../../../exchange/setup-client.ts'
import type { NotifyReport } from '../../../scheduler/notify/report-notify.ts'
import type { TrustedFile } from '../../../workspace/config/trust-config.ts'
import { type Display, programOf } from '../../terminal/display.ts'

/** What trust, init and setup print. */

export function* renderTrust(files: readonly TrustedFile[], display: Display): Iterable<string> {
  for (const { file, hash, trusted } of files) {
    yield `${printable(file)}: ${trusted ? display.style.green('trusted') : display.style.yellow('not trusted')} (${hash.slice(0, 12)})`
  }
  if (files.length === 0) yield 'No configuration here can run commands'
}

export function renderInit({ done }: { done: readonly string[] }): string[] {
  return done.map((line) => printable(line))
}

/** What gza would write, as lines that are new. */
export function* renderProposal({ action, added }: ConfigProposal, { style }: Display): Iterable<string> {
  yield ''
  yield style.bold(action === 'add' ? 'gza.yaml would get these lines at its end:' : 'gza.yaml would be:')
  for (const line of added.trimEnd().split('\n')) yield `  ${style.green(printable(line))}`.trimEnd()
  yield ''
}

/** The first run of the checks, with the time that it took, and the next step. `install`: if no client is there. */
export function* renderFirstCheck(
  check: FirstCheck | NotChecked | null,
  install: string | null,
  { style, name }: Display,
): Iterable<string> {
  const write = (next: Sentence) => printable(sentenceText(next, programOf(name)))
  if (check !== null && 'why' in check) {
    yield `The checks were not run: ${write(check.why)}`
    yield `  ${write(check.next)}`
    return
  }
  if (check === null) yield `No check is configured: a task will be completed when its work is committed.`
  else if (check.ok) yield style.green(`✓ The checks pass on ${printable(check.base)} (${check.seconds} s)`)
  else {
    yield style.red(`✗ The checks fail on ${printable(check.base)} (${check.seconds} s)`)
    for (const line of check.detail.split('\n')) yield `  ${printable(line)}`.trimEnd()
    yield `${correctionFor(check)}, then: ${write(command`init`)}`
    return
  }
  if (install !== null) yield `No client is installed yet. For example: ${install}`
  yield `Next: ${write(sentence`${command`add "…"`}, then ${command`work`}`)}`
}

function correctionFor({ base, detail, in_box }: FirstCheck): string {
  if (in_box) return printable(`Outside of a box they pass. ${in_box.advice}`)
  const [, program] = /exited with 127: (\S+): (?:command )?not found/.exec(firstLine(detail)) ?? []
  if (program !== undefined) return `Install ${printable(program)}, or correct gza.yaml before agents start`
  return `Correct gza.yaml or ${printable(base)} before agents start`
}

export function* renderSetupDiff({ diff }: SetupPlan, display: Display): Iterable<string> {
  for (const line of diff) {
    const text = printable(line, { multiline: true })
    yield line.startsWith('+') ? display.style.green(text) : line.startsWith('-') ? display.style.red(text) : text
  }
}

export function* renderSetupDone(
  { client, path, kind, action, applied }: SetupPlan,
  options: { remove: boolean },
): Iterable<string> {
  if (action === 'none') yield options.remove ? `${path} contains nothing from gza` : `${path} is already set up`
  else if (!applied) yield 'Nothing was changed.'
  else if (options.remove) yield `${client}: removed from ${path}`
  else if (kind === 'server') yield `${client}: starts ${commandLine`mcp`} in every session that reads ${path}`
  else if (kind === 'hook')
    yield `${client}: its sessions here start with ${commandLine`context`}. Commit ${path} to share that.`
  else {
    yield `${client}: ${path} now asks its sessions to start with ${commandLine`context`}. Commit it to share that.`
    yield 'This is only a request in a file of instructions: the client has no hook for it that gza uses, and its model may ignore it.'
  }
}

export function* renderNotify({ channels, events, sent }: NotifyReport, { style }: Display): Iterable<string> {
  if (sent === null) {
    yield `You are notified by: ${channels.join(', ')}`
    yield `Events: ${events.join(', ')}`
    yield `${commandLine`notify --test`} sends a test message`
    return
  }
  for (const { channel, failure } of sent) {
    yield failure === null ? style.green(`${channel}: sent`) : style.red(`${channel}: ${printable(failure)}`)
  }
}
