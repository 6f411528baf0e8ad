import { asUserError } from '../core/machine-error.ts'
import { sentenceText } from '../core/sentence.ts'
import { firstLine } from '../core/text/first-line.ts'
import { printableJson } from '../core/text/printable.ts'
import { UserError } from '../core/user-error.ts'
import { makeRedact } from '../engine/guard/redact.ts'
import { redactShown } from '../runs/watch/redact-shown.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { type Refusal, refusal } from './check-request.ts'

/**
 * With every answer. Nothing may be loaded from elsewhere, no other page may show this one, and the page cannot make
 * elements out of text.
 */
export const SAFE_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join('; '),
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
}

export function jsonResponse(value: unknown, status = 200): Response {
  const headers = { ...SAFE_HEADERS, 'content-type': 'application/json;charset=utf-8' }
  return new Response(printableJson(JSON.stringify(value)), { status, headers })
}

export function refuse({ status, ...error }: Refusal): Response {
  return jsonResponse({ error }, status)
}

/** What a use case threw. A person's mistake or a refusal is 409; anything else is a defect. */
export function failureOf(thrown: unknown, env: Workspace['env']): Refusal {
  return makeRedact(env)(describeFailure(asUserError(thrown)))
}

function describeFailure(error: unknown): Refusal {
  if (!(error instanceof UserError)) return refusal(500, 'INTERNAL', firstLine(String(error)), 'This is a bug in gza.')
  const status = error.code.endsWith('NOT_FOUND') ? 404 : 409
  const hint = error.hint === undefined ? null : sentenceText(error.hint)
  return refusal(status, error.code, sentenceText(error.fact), hint)
}

/** What a use case returned, and what it has to say besides. The one place where secrets are taken out, as in logs. */
export async function valueWithWarnings(ws: Pick<Workspace, 'repo' | 'env' | 'warnings'>, value: unknown) {
  const redact = await redactShown(ws)
  return redact({ value: value ?? null, warnings: [...new Set(ws.warnings.map((each) => sentenceText(each)))] })
}
