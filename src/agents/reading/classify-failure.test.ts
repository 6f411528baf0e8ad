import { expect, test } from 'bun:test'
import fc from 'fast-check'
import type { ErrorCode } from '../agent.ts'
import { classifyFailure } from './classify-failure.ts'

/** As gemini prints it: the provider's answer as JSON within JSON. */
const QUOTA_PER_MINUTE = `[API Error: ${JSON.stringify({
  error: {
    message: JSON.stringify({
      error: {
        code: 429,
        message: 'You exceeded your current quota, please check your plan and billing details.',
        status: 'RESOURCE_EXHAUSTED',
        details: [{ violations: [{ quotaId: 'GenerateContentInputTokensPerModelPerMinute-FreeTier' }] }],
      },
    }),
    code: 429,
  },
})}]`

const MESSAGES: Record<ErrorCode, [message: string, status?: number][]> = {
  limit: [
    ['Claude AI usage limit reached|1730000000'],
    ['Claude usage limit reached. Your limit will reset at 5pm (Europe/Warsaw).'],
    ["You've hit your limit · resets 3pm (UTC)", 429],
    ["You've hit your session limit · resets 4:50am (Europe/Rome)", 429],
    ["You've hit your weekly limit · resets Sep 15 at 7pm", 429],
    ['5-hour limit reached ∙ resets 9pm'],
    ['Credit balance is too low'],
    ['You have reached your specified API usage limits. You will regain access on 2026-04-01 at 00:00 UTC.', 400],
    ["You've hit your usage limit. Upgrade to Pro or try again in 2 days 3 hours."],
    ["You've hit your usage limit. Try again in 40 seconds."],
    ["You've hit your usage limit. To get more access now, send a request to your admin or try again at 3:28 PM."],
    ['{"type":"usage_limit_reached","message":"The usage limit has been reached","resets_in_seconds":13872}', 429],
    ['Quota exceeded. Check your plan and billing details.'],
    ['[API Error: You have exhausted your daily quota on this model.]'],
    ['You have exhausted your capacity on this model. Your quota will reset after 8h44m7s.', 429],
    ['Usage limit reached for gemini-3-flash-preview. Access resets at 10:57 PM GMT-3.'],
    ['[API Error: {"error":{"code":429,"message":"Resource has been exhausted","status":"RESOURCE_EXHAUSTED"}}]'],
    ['429 Free allocated quota exceeded.'],
    ['402 {"error":{"message":"You have no quota","code":"quota_exceeded"}}'],
    ['Payment Required', 402],
    ["Sorry, you've hit a rate limit that restricts the number of requests. Please try again in 2 hours.", 429],
    ['Sorry, you have exceeded your Copilot token usage.', 429],
    ['Rate limit exceeded: free-models-per-day. Add 10 credits to unlock more', 429],
    ['You exceeded your current quota, please check your plan and billing details. insufficient_quota', 429],
  ],
  overloaded: [
    ['API Error: 500 scripted 500'],
    ["This request would exceed your account's rate limit. Please try again later.", 429],
    ['API Error: 429 scripted 429'],
    ['exceeded retry limit, last status: 429 Too Many Requests'],
    ['API Error: 529 {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}'],
    ['Overloaded', 529],
    ['Provider is overloaded'],
    ['Service Unavailable', 503],
    ["We're currently experiencing high demand, which may cause temporary errors."],
    ['You have exhausted your capacity on this model. Your quota will reset after 5s.', 429],
    ['{"code":429,"status":"RESOURCE_EXHAUSTED","details":[{"retryDelay":"33s"}]}'],
    ['{"error":{"code":429,"message":"No capacity available for model x","status":"RESOURCE_EXHAUSTED"}}'],
    [QUOTA_PER_MINUTE],
    ['Rate limit reached for gpt-5 on tokens per min. Please try again in 1.2s.', 429],
  ],
  auth: [
    ['Failed to authenticate. API Error: 401 scripted 401'],
    ['unexpected status 401 Unauthorized: scripted 401, url: http://127.0.0.1:8123/v1/responses'],
    ['[API Error: {"error":{"code":401,"message":"scripted 401","status":"UNAUTHENTICATED"}}]'],
    ['scripted', 401],
    ['Forbidden', 403],
    ['Invalid API key · Please run /login'],
    ['Missing environment variable: `OPENAI_API_KEY`.'],
    ['API key not valid. Please pass a valid API key.', 400],
  ],
  'max-turns': [],
  'max-cost': [],
  other: [
    ['stream disconnected before completion'],
    [''],
    ["Codex ran out of room in the model's context window."],
    ['Tests failed: expected the limit to be 429 characters'],
  ],
}

const CASES = Object.entries(MESSAGES).flatMap(([code, messages]) =>
  messages.map(([message, status]) => [code, message, status ?? null] as const),
)

test.each(CASES)('%s: %s', (code, message, status) => {
  expect(classifyFailure(message, status)).toBe(code as ErrorCode)
})

test('no message makes it fail or hang', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => void classifyFailure(text)))
  for (const piece of ['hit your a ', 'usage limit ', 'try again in 1 h', 'error: ', 'exceeded your '])
    expect(() => classifyFailure(piece.repeat(1_000_000))).not.toThrow()
})
