import type { Refusal } from './model-script.ts'

/** How providers refuse at a usage limit, as their clients understand it. */
export interface LimitAnswers {
  withReset(resetsAt: Date): Refusal
  withoutReset: Refusal
  /** A limit after which the client asks again by itself, and soon. */
  passing: Refusal
}

const SOON = { 'retry-after': '1' }

export const ANTHROPIC: LimitAnswers = {
  withReset: (resetsAt) => {
    const [day, time] = resetsAt.toISOString().split(/[T.]/)
    const message = `You have reached your specified API usage limits. You will regain access on ${day} at ${time?.slice(0, 5)} UTC.`
    return { status: 400, body: anthropicError('invalid_request_error', message) }
  },
  withoutReset: {
    status: 400,
    body: anthropicError(
      'invalid_request_error',
      'Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade.',
    ),
  },
  passing: {
    status: 429,
    headers: SOON,
    body: anthropicError('rate_limit_error', "This request would exceed your account's rate limit."),
  },
}

function anthropicError(type: string, message: string) {
  return { type: 'error', error: { type, message } }
}

export const CHATGPT: LimitAnswers = {
  withReset: (resetsAt) => chatGptLimit({ resets_at: Math.floor(resetsAt.getTime() / 1000) }),
  withoutReset: chatGptLimit({}),
  passing: {
    status: 429,
    headers: SOON,
    body: { error: { code: 'rate_limit_exceeded', message: 'Rate limit reached' } },
  },
}

function chatGptLimit(more: object): Refusal {
  const error = { type: 'usage_limit_reached', message: 'The usage limit has been reached', plan_type: 'plus', ...more }
  return { status: 429, body: { error } }
}

const QUOTA = {
  message: 'You exceeded your current quota, please check your plan and billing details.',
  type: 'insufficient_quota',
  code: 'insufficient_quota',
}

/** OpenAI's answer, which other providers copy; some of them name the time to wait. */
export const OPENAI: LimitAnswers = {
  withReset: (resetsAt) => ({
    status: 429,
    headers: { 'retry-after': secondsTo(resetsAt) },
    body: {
      error: { type: 'GoUsageLimitError', message: `Weekly usage limit reached. Resets in ${inWords(resetsAt)}.` },
    },
  }),
  withoutReset: { status: 429, body: { error: QUOTA } },
  passing: { status: 429, headers: SOON, body: { error: QUOTA } },
}

export const GITHUB: LimitAnswers = {
  withReset: (resetsAt) => ({
    status: 429,
    headers: { 'retry-after': secondsTo(resetsAt) },
    body: {
      error: {
        code: 'user_global_rate_limited',
        message: `You've hit your global rate limit. Please try again in ${inWords(resetsAt)}.`,
      },
    },
  }),
  withoutReset: { status: 402, body: { error: { code: 'quota_exceeded', message: 'You have no quota' } } },
  passing: {
    status: 429,
    headers: SOON,
    body: { error: { code: 'user_global_rate_limited', message: "You've hit your global rate limit." } },
  },
}

const GOOGLE_TYPES = 'type.googleapis.com/google.rpc'

export const GOOGLE: LimitAnswers = {
  withReset: (resetsAt) => {
    const seconds = Number(secondsTo(resetsAt))
    const reset = `${Math.floor(seconds / 3600)}h${Math.floor((seconds % 3600) / 60)}m${seconds % 60}s`
    return googleLimit(`You have exhausted your capacity on this model. Your quota will reset after ${reset}.`, [
      { '@type': `${GOOGLE_TYPES}.ErrorInfo`, reason: 'RATE_LIMIT_EXCEEDED', domain: 'cloudcode-pa.googleapis.com' },
      { '@type': `${GOOGLE_TYPES}.RetryInfo`, retryDelay: `${seconds}s` },
    ])
  },
  withoutReset: googleLimit('You exceeded your current quota, please check your plan and billing details.', [
    {
      '@type': `${GOOGLE_TYPES}.QuotaFailure`,
      violations: [{ quotaId: 'GenerateRequestsPerDayPerProjectPerModel-FreeTier', quotaValue: '50' }],
    },
  ]),
  passing: googleLimit('You have exhausted your capacity on this model. Your quota will reset after 1s.', [
    { '@type': `${GOOGLE_TYPES}.ErrorInfo`, reason: 'RATE_LIMIT_EXCEEDED', domain: 'cloudcode-pa.googleapis.com' },
    { '@type': `${GOOGLE_TYPES}.RetryInfo`, retryDelay: '1s' },
  ]),
}

function googleLimit(message: string, details: object[]): Refusal {
  return { status: 429, body: { error: { code: 429, message, status: 'RESOURCE_EXHAUSTED', details } } }
}

function secondsTo(moment: Date): string {
  return String(Math.round((moment.getTime() - Date.now()) / 1000))
}

function inWords(moment: Date): string {
  const minutes = Math.round(Number(secondsTo(moment)) / 60)
  return `${Math.floor(minutes / 60)} hours ${minutes % 60} minutes`
}
