import { printable } from '../../../core/text/printable.ts'
import type { SetupPlan } from '../../../exchange/setup-client.ts'
import type { Finding } from '../../../reports/diagnose.ts'
import type { TrustedFile } from '../../../workspace/config/trust-config.ts'
import type { Look } from '../../terminal/face.ts'
import { inCallersName } from '../callers-name.ts'

/** What doctor, trust, init and setup answer. */

export function* renderFindings(findings: readonly Finding[], look: Look): Iterable<string> {
  const colour = { ok: look.ink.green, warn: look.ink.yellow, fail: look.ink.red }
  const width = findings.reduce((most, { name }) => Math.max(most, name.length), 0)
  for (const { name, state, detail, next } of findings) {
    yield `${colour[state](state.padEnd(4))}  ${printable(name).padEnd(width)}  ${printable(detail)}`.trimEnd()
    if (next !== null) yield `${' '.repeat(6 + width)}  ${printable(inCallersName(next, look.name))}`
  }
}

export function* renderTrust(files: readonly TrustedFile[], look: Look): Iterable<string> {
  for (const { file, hash, trusted } of files) {
    yield `${printable(file)}: ${trusted ? look.ink.green('trusted') : look.ink.yellow('not trusted')} (${hash.slice(0, 12)})`
  }
  if (files.length === 0) yield 'No configuration here can run anything'
}

export function renderInit({ done }: { done: readonly string[] }): string[] {
  return done.map((line) => printable(line))
}

export function* renderSetupDiff({ diff }: SetupPlan, look: Look): Iterable<string> {
  for (const line of diff) {
    const text = printable(line, { multiline: true })
    yield line.startsWith('+') ? look.ink.green(text) : line.startsWith('-') ? look.ink.red(text) : text
  }
}

export function* renderSetupDone(
  { client, path, action, applied }: SetupPlan,
  options: { remove: boolean },
): Iterable<string> {
  if (action === 'none') yield options.remove ? `${path} has nothing of gza` : `${path} is set up already`
  else if (!applied) yield 'Nothing was changed.'
  else if (options.remove) yield `${client}: ${path} is as it was without gza`
  else yield `${client}: its sessions here begin with gza context. Commit ${path} to share that.`
}
