import type { Finding } from '../../app/diagnose.ts'
import type { TrustedFile } from '../../app/trust-config.ts'
import { printable } from '../../core/printable.ts'
import type { Look } from '../face.ts'
import { inCallersName } from './callers-name.ts'

/** What doctor, trust and init answer. */

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
