import type { Totals } from '../../api/types.ts'
import { lengthOf } from '../../parts/time.tsx'

type Cost = Pick<Totals, 'cost_usd' | 'attempts_without_cost'>

/** What was reported. An agent that reported nothing was not free, so its cost is unknown and never $0. */
export function costWords({ cost_usd, attempts_without_cost }: Cost): string {
  if (attempts_without_cost === 0) return dollars(cost_usd)
  return cost_usd === 0 ? 'unknown' : `${dollars(cost_usd)} + unknown`
}

/** A client that has worked has used tokens: none means that it reports none. */
export function lacksTokens({ tokens_in, tokens_out, attempts }: Tokens): boolean {
  return tokens_in + tokens_out === 0 && attempts > 0
}

export function tokenWords(tokens: Tokens): string {
  return lacksTokens(tokens) ? 'unknown' : `${shortCount(tokens.tokens_in)} in, ${shortCount(tokens.tokens_out)} out`
}

/** For a table: in and out. */
export function tokenCells(tokens: Tokens): [string, string] {
  if (lacksTokens(tokens)) return ['unknown', 'unknown']
  return [tokens.tokens_in.toLocaleString('en'), tokens.tokens_out.toLocaleString('en')]
}

interface Tokens {
  tokens_in: number
  tokens_out: number
  attempts: number
}

export function dollars(usd: number): string {
  return usd > 0 && usd < 0.01 ? `$${usd.toFixed(4)}` : `$${usd.toFixed(2)}`
}

const COMPACT = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 })

export function shortCount(count: number): string {
  return COMPACT.format(count)
}

/** `75 % (3 of 4)`; nothing is known of none. */
export function shareWords(part: number, whole: number): string {
  return whole === 0 ? '–' : `${Math.round((part / whole) * 100)} % (${part} of ${whole})`
}

export function timeWords(seconds: number): string {
  return seconds === 0 ? '–' : lengthOf(seconds * 1000)
}
