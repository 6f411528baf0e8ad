import type { ErrorCode } from '../agent.ts'
import { anyOf } from './any-of.ts'
import { waitIn } from './wait-in.ts'

/**
 * Why a phase failed, from the client's message and the HTTP status in it. A plan's limit that lasts until a reset is
 * `limit`; a rate limit that recovers within minutes, or a busy server, is `overloaded`, even if both have status 429.
 */
export function classifyFailure(message: string, status: number | null = null): ErrorCode {
  const text = message.slice(0, LONGEST_READ)
  const code = status ?? statusIn(text)
  if (PLAN_LIMIT.test(text) || code === 402) return 'limit'
  if (code === 401) return 'auth'
  if (QUOTA.test(text)) return isShortLived(text) ? 'overloaded' : 'limit'
  if (code === 429 || RATE.test(text)) return isLongLived(text) ? 'limit' : 'overloaded'
  if (code === 403 || AUTH.test(text)) return 'auth'
  return code !== null && BUSY_STATUS.has(code) ? 'overloaded' : 'other'
}

const LONGEST_READ = 16_000

/** What clients print about a plan: session, week, credits. These decide, whatever else the message contains. */
const PLAN_LIMIT = anyOf(
  /usage limits?\b.{0,20}\breached|reached your .{0,30}usage limits?/,
  /hit your (?:[\w-]+ ){0,3}limit\b/,
  /(?:hour|daily|weekly|monthly|session|opus|sonnet|plan) limit reached/,
  /usage_limit_reached|insufficient_quota/,
  /out of (?:extra )?(?:usage|credits)|credit balance is too low/,
  /free usage (?:limit )?exceeded|FreeUsageLimitError/,
)

/** What means a plan's quota, unless the message states that it recovers within minutes. */
const QUOTA = anyOf(
  /RESOURCE_EXHAUSTED|QUOTA_EXHAUSTED|INSUFFICIENT_\w{0,20}CREDITS/,
  /quota[_ ]exceeded|no quota\b|daily quota/,
  /exceeded your (?:current |[\w-]+ token |premium request )?(?:quota|usage|allowance)/,
  /exhausted your (?:capacity|quota|daily)/,
  /free-models-per-day|insufficient (?:credits|balance|funds)/,
)

const RATE = anyOf(/rate[ _-]?limit|too many requests/, /\boverloaded|experiencing high demand|server is busy/)

const SHORT_LIVED = /per[ _-]?minute|no capacity available|MODEL_CAPACITY_EXHAUSTED/i

/** Five minutes: the longest time that clients themselves wait before they give up. */
const SHORT_WAIT_S = 300

function isShortLived(text: string): boolean {
  const wait = waitIn(text)
  return SHORT_LIVED.test(text) || (wait !== null && wait < SHORT_WAIT_S)
}

function isLongLived(text: string): boolean {
  return (waitIn(text) ?? 0) >= SHORT_WAIT_S
}

const AUTH = anyOf(
  /unauthori[sz]ed|unauthenticated|authenticat|PERMISSION_DENIED/,
  /invalid[ _]api[ _]key|api key not valid|API_KEY_INVALID|missing environment variable: `?\w{0,40}KEY/,
  /not logged in|please (?:run )?\/?log ?in|set an auth method|token (?:has |is )?(?:expired|revoked)/,
)

/** Clients retry a 500 like the others, for minutes: if it still fails then, the task is not at fault. */
const BUSY_STATUS = new Set([500, 502, 503, 504, 529])

/** The status that a message names: `API Error: 401 …`, `last status: 429`, `"code":503`, `(HTTP 401)`. */
function statusIn(text: string): number | null {
  const found = /(?:error|status|code|http)[\s"':\\]{0,12}([45]\d\d)\b/i.exec(text) ?? /^([45]\d\d)\b/.exec(text)
  return found ? Number(found[1]) : null
}
