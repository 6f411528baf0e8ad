import { z } from 'zod'
import { refusal } from './check-request.ts'
import type { Preferences } from './host.ts'
import { jsonResponse, refuse } from './respond.ts'

/** Names and values are the page's own. They are few and short, so that nobody can fill the disk. */
const INPUT = z.strictObject({
  name: z.string().regex(/^[a-z][a-z-]{0,39}$/),
  value: z.string().max(1000),
})
const MOST = 100

const BAD_INPUT = refusal(400, 'BAD_INPUT', 'A preference has a short name and a short text')
const TOO_MANY = refusal(409, 'TOO_MANY_PREFERENCES', `There are ${MOST} preferences already`)

/** Keeps one choice of the person. A server that is only for reading does so too: it changes no repository. */
export function setPreference(preferences: Preferences, body: unknown): Response {
  const input = INPUT.safeParse(body)
  if (!input.success) return refuse(BAD_INPUT)
  const { name, value } = input.data
  const changed = { ...preferences.read(), [name]: value }
  if (Object.keys(changed).length > MOST) return refuse(TOO_MANY)
  preferences.write(changed)
  return jsonResponse({ value: changed })
}
