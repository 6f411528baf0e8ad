import { dotenvSecrets } from '../../core/text/dotenv-secrets.ts'
import { mapTexts } from '../../core/text/map-texts.ts'
import { readTextIfThere } from '../../platform/files/files.ts'
import type { Env } from '../../platform/git/git.ts'

/** A text, or anything that JSON can hold with texts in it, without secrets. */
export type Redact = <T>(value: T) => T

const REDACTED = '[redacted]'

/**
 * Takes secrets out of what is logged: the values of variables whose names sound like secrets, wherever they occur, and
 * whatever has the shape of a well-known token, and the secrets of copied `.env` files. Keys of objects stay.
 */
export function makeRedact(...envs: readonly Env[]): Redact {
  const spellings = envs.flatMap(secretsOf).flatMap(spellingsOf)
  // Of two that begin alike the longer one goes first, or its end would stay.
  const values = [...new Set(spellings)].sort((a, b) => b.length - a.length)
  const redactText = (text: string): string => {
    const withoutValues = values.reduce((rest, value) => rest.replaceAll(value, REDACTED), text)
    return SHAPES.reduce((rest, shape) => rest.replace(shape, `$1${REDACTED}`), withoutValues)
  }
  return (value) => mapTexts(value, redactText) as typeof value
}

const SECRET_NAME = /KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIAL|PRIVATE|COOKIE|_(?:PAT|PWD|AUTH)$/i
/** Names of git settings that go by the environment, and limits in tokens. */
const HARMLESS_NAME = /^GIT_CONFIG_KEY_\d+$|KEYBOARD|TOKENS$/i
/** Anything shorter turns up in other words. */
const SHORTEST = 8

function secretsOf(env: Env): string[] {
  const named = Object.entries(env).flatMap(([name, value = '']) => (isSecretName(name) ? [value.trim()] : []))
  return [...named, ...copiedSecrets(env[COPIED])]
}

function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name) && !HARMLESS_NAME.test(name)
}

/** Names the `.env` files that worktrees get a copy of, one on a line. Agents pass it on to the gza that they call. */
export const COPIED = 'GZA_COPIED'

function copiedSecrets(paths = ''): string[] {
  const texts = paths.split('\n').flatMap((path) => (path === '' ? [] : (readTextIfThere(path) ?? [])))
  return texts.flatMap((text) => dotenvSecrets(text, isSecretName))
}

/** As it is, line by line, in a URL, and in JSON, which itself may stand in a text of the JSON that a client prints. */
function spellingsOf(secret: string): string[] {
  const lines = secret.includes('\n') ? secret.split('\n').filter((line) => line.length >= 2 * SHORTEST) : []
  const quoted = quote(secret)
  return [secret, quoted, quote(quoted), encodeURIComponent(secret), ...lines].filter(
    ({ length }) => length >= SHORTEST,
  )
}

function quote(text: string): string {
  return JSON.stringify(text).slice(1, -1)
}

/**
 * The first group is the text before the secret. Each pattern starts at a place that is rare in a line and then reads
 * one kind of character, so that a line of 20 MB does not take minutes.
 */
const SHAPES: RegExp[] = [
  // Model providers, GitHub, GitLab, npm, Hugging Face, Linear, Stripe, Slack, PyPI.
  /\b()(?:sk-[\w-]{20,}|gh[pousr]_\w{30,}|github_pat_\w{20,}|glpat-[\w-]{20,}|npm_\w{30,}|hf_\w{30,})/g,
  /\b()(?:lin_(?:api|oauth)_\w{30,}|[rs]k_(?:live|test)_\w{16,}|xox[abeoprs]-[\w-]{10,}|pypi-[\w-]{50,})/g,
  // AWS, Google.
  /\b()(?:(?:AKIA|ASIA)[0-9A-Z]{16}\b|AIza[\w-]{35}|ya29\.[\w-]{20,})/g,
  // JSON web tokens.
  /\b()eyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{10,}/g,
  /()-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----(?:[^-]|-(?!-))*(?:-----END [A-Z ]{0,30}PRIVATE KEY-----)?/g,
  // The password in a URL, the credentials in a header.
  /(:\/\/[^\s/:@"'\\]{0,100}:)[^\s/:@"'\\]{1,500}(?=@)/g,
  /(\bauthorization\\*["']?\s{0,3}[:=]\s{0,3}\\*["']?(?:basic|bearer|token)\s{1,3})[\w+/=.~-]{8,}/gi,
]
