/**
 * Files of the person that git reads as settings or runs, outside of the box too: configuration with what it includes, hooks,
 * and programs that a setting names by their path. An agent that could write one of them would run outside.
 */
import { join, resolve } from 'node:path'
import { ensureFolder, fileExists } from '../../../platform/files/files.ts'
import { homeFolder, userConfigFolder } from '../../../platform/files/user-folders.ts'
import type { Repo } from '../../../platform/git/find-repo.ts'
import type { Env } from '../../../platform/git/git.ts'
import { listSettings } from '../../../platform/git/settings/list-settings.ts'

/** They are read-only in a box. */
export function personsGitFiles(repo: Repo): string[] {
  const { env } = repo
  const settings = listSettings(repo) ?? []
  const named = settings.flatMap(({ key, value }) => (RUNNING.test(key) ? pathsIn(value, env) : []))
  const fixed = [join(homeFolder(env), '.gitconfig'), join(homeFolder(env), '.config/git'), gitFolder(env)]
  const origins = settings.map(({ origin }) => origin)
  const paths = [...fixed, ...(env.GIT_CONFIG_GLOBAL ? [env.GIT_CONFIG_GLOBAL] : []), ...origins, ...named]
  return [...new Set(paths)].filter((path) => path.startsWith('/') && !SYSTEM.test(path) && fileExists(path))
}

/** Files in which git's `store` keeps passwords. They are hidden. */
export function passwordFiles(repo: Repo): string[] {
  return (listSettings(repo) ?? []).flatMap(({ key, value }) => {
    const file = key.startsWith('credential.') ? /--file[= ]["']?([^\s"']+)/.exec(value)?.[1] : undefined
    return file === undefined ? [] : pathsIn(file, repo.env)
  })
}

/** What does not exist cannot be protected, and an agent could make it. */
export function makeSettingsFolders(env: Env): void {
  for (const folder of [userConfigFolder(env), gitFolder(env)]) {
    try {
      ensureFolder(folder)
    } catch {
      // The home folder cannot be written, and no agent can write it either.
    }
  }
}

const RUNNING =
  /^(core\.(hookspath|sshcommand|askpass|fsmonitor|gitproxy|editor|pager|attributesfile|alternaterefscommand)|(filter|merge|diff|credential|gpg|hook|alias|pager|difftool|mergetool|trailer|sequence|init|man|browser|sendemail)\..*)$/s

/** No agent can write there. */
const SYSTEM = /^\/(dev|proc|sys|usr|bin|sbin|lib|etc)\//

function pathsIn(value: string, env: Env): string[] {
  const words = value
    .split(/[\s'"=;!|&()]+/)
    .map((word) => word.replace(/^(~|\$HOME|\$\{HOME\})(?=\/)/, homeFolder(env)))
  return words.filter((word) => /^\/./.test(word)).map((word) => resolve(word))
}

function gitFolder(env: Env): string {
  return join(userConfigFolder(env), '../git')
}
