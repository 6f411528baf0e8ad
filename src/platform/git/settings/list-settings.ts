import { type BigIntStats, lstatSync, readdirSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { userConfigFolder } from '../../files/user-folders.ts'
import type { Repo } from '../find-repo.ts'
import { tryGit } from '../git.ts'
import { asPersonsSettings, type Entry } from './neutral-settings.ts'

export interface FoundSetting extends Entry {
  /** `system`, `global`, `local`, `worktree`, or `command` for settings from the environment. */
  scope: string
  /** The file that sets it, absolute; empty for settings from the environment. */
  origin: string
}

/**
 * All settings in the order in which git reads them, then those of single worktrees; null if git cannot read them. They
 * are read again only if one of their files has changed: each phase and each check asks for them.
 */
export function listSettings(repo: Repo): FoundSetting[] | null {
  const key = keyOf(repo)
  const known = lists.get(key)
  if (known !== undefined && known.stats === statsOf(known.sources)) return known.settings
  const settings = asPersonsSettings(() => askSettings(repo))
  if (settings === null) return null
  const sources = sourcesOf(repo, settings)
  if (lists.size >= MOST_LISTS) lists.clear()
  lists.set(key, { settings, sources, stats: statsOf(sources) })
  return settings
}

const lists = new Map<string, { settings: FoundSetting[]; sources: string[]; stats: string }>()
const MOST_LISTS = 100

/** Each run has an environment of its own, and all of them lead git to the same settings. */
function keyOf({ dir, env }: Repo): string {
  const leading = Object.entries(env).filter(([name]) => /^(GIT_|XDG_CONFIG_HOME$|HOME$)/.test(name))
  return JSON.stringify([dir, leading])
}

/** The configuration files that git reads or would read. */
export function sourcesOf(repo: Repo, settings: readonly FoundSetting[]): string[] {
  const { commonDir, gitDir, env } = repo
  const own = [join(commonDir, 'config'), join(commonDir, 'config.worktree'), join(gitDir, 'config.worktree')]
  const persons = [...(env.HOME ? [join(env.HOME, '.gitconfig')] : []), join(userConfigFolder(env), '../git/config')]
  const named = settings.map(({ origin }) => origin).filter((origin) => origin !== '')
  return [...new Set([...own, ...persons, ...worktreeConfigs(repo), ...named])]
}

/** An agent's worktree can have configuration of its own. */
export function worktreeConfigs({ commonDir }: Repo): string[] {
  const folder = join(commonDir, 'worktrees')
  return namesIn(folder)
    .map((name) => join(folder, name, 'config.worktree'))
    .filter((path) => statOf(path) !== '')
}

/** Differs whenever one of the files may differ: nobody can set back the time of a file's last change. */
export function statsOf(paths: readonly string[]): string {
  return paths.map((path) => `${path} ${statOf(path)}`).join('\n')
}

function askSettings(repo: Repo): FoundSetting[] | null {
  const effective = tryGit(repo, ['config', '--list', '--show-scope', '--show-origin', '-z'])
  if (effective.code !== 0) return null
  const fields = effective.stdout.toString().split('\0')
  const settings: FoundSetting[] = []
  for (let at = 0; at + 2 < fields.length; at += 3) {
    const [scope = '', origin = '', text = ''] = fields.slice(at, at + 3)
    settings.push({ scope, origin: originOf(repo, origin), ...entryOf(text) })
  }
  return [...settings, ...worktreeConfigs(repo).flatMap((path) => askFile(repo, path))]
}

function askFile(repo: Repo, path: string): FoundSetting[] {
  const exit = tryGit(repo, ['config', '--file', path, '--includes', '--list', '-z'])
  const texts = exit.code === 0 ? exit.stdout.toString().split('\0').filter(Boolean) : []
  return texts.map((text) => ({ scope: 'worktree', origin: path, ...entryOf(text) }))
}

function entryOf(text: string): Entry {
  const [key = '', ...value] = text.split('\n')
  // A key without a value, as in `-c a.b`, means true; an empty value would mean false.
  return { key, value: value.length === 0 ? 'true' : value.join('\n') }
}

function originOf({ dir }: Repo, origin: string): string {
  return origin.startsWith('file:') ? resolve(dir, origin.slice('file:'.length)) : ''
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort()
  } catch {
    return []
  }
}

/** Of the file itself and, for a link, of what it points to. Most of the files that are asked for do not exist. */
function statOf(path: string): string {
  const own = readStat(lstatSync, path)
  if (own === null) return ''
  if (!own.isSymbolicLink()) return describe(own)
  const target = readStat(statSync, path)
  return `${describe(own)} ${target === null ? '' : describe(target)}`
}

function describe({ ino, size, mode, mtimeNs, ctimeNs }: BigIntStats): string {
  return `${ino} ${size} ${mode} ${mtimeNs} ${ctimeNs}`
}

function readStat(stat: typeof statSync, path: string): BigIntStats | null {
  try {
    return stat(path, { bigint: true, throwIfNoEntry: false }) ?? null
  } catch {
    return null
  }
}
