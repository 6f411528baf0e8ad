import type { GitPlace } from './git.ts'
import { tryGit } from './git.ts'

/**
 * `Name <mail>` as git would sign with. A repository without an identity gets the login's: a task must not be lost
 * because user.email was never set (or because a client's shell hides the global configuration).
 */
export function identityOf(place: GitPlace): string {
  const known = asked.get(place)
  if (known !== undefined) return known
  const identity = askIdentity(place)
  asked.set(place, identity)
  return identity
}

/** For those who know what git would say. */
export function rememberIdentity(place: GitPlace, identity: string): void {
  asked.set(place, identity)
}

const asked = new WeakMap<GitPlace, string>()

function askIdentity(place: GitPlace): string {
  const { GIT_COMMITTER_NAME: name, GIT_COMMITTER_EMAIL: mail } = place.env
  if (name && mail) return plainIdentity(name, mail)
  const exit = tryGit(place, ['var', 'GIT_COMMITTER_IDENT'])
  const ident = /^(.*) <(.*)> \d+ [+-]\d+$/.exec(exit.stdout.toString().trim())
  if (exit.code === 0 && ident) return plainIdentity(ident[1] ?? '', ident[2] ?? '')
  const login = loginName()
  return plainIdentity(login, `${login}@localhost`)
}

export function userNameOf(place: GitPlace): string {
  return /^(.*) </.exec(identityOf(place))?.[1] || loginName()
}

/** The place with an explicit identity, for git commands that refuse to guess one. */
export function withIdentity<T extends GitPlace>(place: T): T {
  const [, name, mail] = /^(.*) <(.*)>$/.exec(identityOf(place)) ?? []
  const author = { GIT_AUTHOR_NAME: name, GIT_AUTHOR_EMAIL: mail }
  return { ...place, env: { ...place.env, ...author, GIT_COMMITTER_NAME: name, GIT_COMMITTER_EMAIL: mail } }
}

function plainIdentity(name: string, mail: string): string {
  const clean = (text: string) => text.replace(/[<>\n\r\0]/g, '').trim()
  return `${clean(name) || 'unknown'} <${clean(mail)}>`
}

function loginName(): string {
  try {
    // Not an import: it takes 0.1 ms to load, and hardly any command asks.
    return process.getBuiltinModule('node:os').userInfo().username
  } catch {
    return 'unknown'
  }
}
