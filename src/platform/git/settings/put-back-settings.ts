import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { shellWord } from '../../../core/text/shell-word.ts'
import type { Repo } from '../find-repo.ts'
import { tryGit } from '../git.ts'
import { isDoubtful, isExecutingChange } from './executing-keys.ts'
import type { FoundSetting } from './list-settings.ts'
import {
  configOf,
  type FoundFile,
  readFoundFile,
  readSettingsState,
  readWatched,
  type SettingsState,
  shallowOf,
} from './settings-state.ts'

export interface SettingsChange {
  /** `.git/hooks/pre-commit`, or a setting with its file. */
  what: string
  how: 'added' | 'changed' | 'removed'
  /** What a setting was set to, or the text of a file. */
  values: string[]
  /** The command that makes the change again, for a person who made it; null if there is none. */
  again: string | null
  /** People do this too while agents run. */
  isDoubtful: boolean
}

/** Makes everything as it was before, and saves what it replaces in the folder `saved`. */
export function putBackSettings(repo: Repo, before: SettingsState, saved: string): SettingsChange[] {
  // Files first: one of them can make git read the configuration of another repository.
  const files = putBackFiles(repo, before, saved)
  const now = readSettingsState(repo)
  const isLost = now === null || (before.isRead && !now.isRead)
  return [...(isLost ? putBackConfig(repo, before, saved) : putBackKeys(repo, before, now)), ...files]
}

/** Git cannot read it any more, so nothing in it can be kept. */
function putBackConfig(repo: Repo, { config }: SettingsState, saved: string): SettingsChange[] {
  const path = configOf(repo)
  const copy = saveFile(saved, path, readFoundFile(path))
  rmSync(path, { force: true, recursive: true })
  writeFileSync(path, config, 'latin1')
  const again = copy && `cp ${shellWord(copy)} ${shellWord(path)}`
  return [{ what: nameOf(repo, path), how: 'changed', values: [], again, isDoubtful: false }]
}

/** Setting by setting, so that what a person has set meanwhile and executes nothing stays. */
function putBackKeys(repo: Repo, before: SettingsState, now: SettingsState): SettingsChange[] {
  const owned = new Set([...before.sources, ...now.sources.filter((path) => path.startsWith(`${repo.commonDir}/`))])
  const places = new Map([...before.settings, ...now.settings].map((each) => [`${each.origin}\n${each.key}`, each]))
  return [...places.values()].flatMap(({ origin, key }) => {
    if (!owned.has(origin)) return []
    const [old, found] = [before, now].map((state) => valuesIn(state.settings, origin, key)) as [string[], string[]]
    const isSame = JSON.stringify(old) === JSON.stringify(found)
    if (isSame || !isExecutingChange({ key, old, found }, before.settings)) return []
    if (found.length > 0) tryGit(repo, ['config', '--file', origin, '--unset-all', key])
    for (const value of old) tryGit(repo, ['config', '--file', origin, '--add', key, value])
    return [
      {
        what: `${key} in ${nameOf(repo, origin)}`,
        how: howOf(old.length > 0, found.length > 0),
        values: found,
        again: settingAgain(origin, key, found),
        isDoubtful: isDoubtful(key, found),
      },
    ]
  })
}

function settingAgain(origin: string, key: string, values: readonly string[]): string {
  const config = `git config --file ${shellWord(origin)}`
  if (values.length === 0) return `${config} --unset-all ${shellWord(key)}`
  const how = (at: number) => (values.length === 1 ? '' : at === 0 ? ' --replace-all' : ' --add')
  return values.map((value, at) => `${config}${how(at)} ${shellWord(key)} ${shellWord(value)}`).join(' && ')
}

function putBackFiles(repo: Repo, before: SettingsState, saved: string): SettingsChange[] {
  const now = readWatched(repo, before)
  const paths = [...new Set([...Object.keys(before.files), ...Object.keys(now)])].filter((path) =>
    isPutBack(repo, path),
  )
  return paths.flatMap((path) => {
    const [old, found] = [before.files[path], now[path]]
    if (JSON.stringify(old) === JSON.stringify(found) || isFetched(repo, path, old, found)) return []
    const copy = saveFile(saved, path, found ?? null)
    mkdirSync(saved, { recursive: true })
    writeFound(path, old)
    if (path === before.hooks && old === undefined) mkdirSync(path)
    const again =
      copy === null ? `mv ${shellWord(path)} ${shellWord(saved)}` : `cp ${shellWord(copy)} ${shellWord(path)}`
    return [
      {
        what: nameOf(repo, path),
        how: howOf(old !== undefined, found !== undefined),
        values: found === undefined ? [] : [textOf(found)],
        again,
        isDoubtful: path === shallowOf(repo) || path === before.attributes,
      },
    ]
  })
}

/**
 * A fetch writes the list of commits at which history ends. It counts only if there was none, and all commits that it
 * hides are here: otherwise git would miss them without it.
 */
function isFetched(repo: Repo, path: string, old: FoundFile | undefined, found: FoundFile | undefined): boolean {
  if (path !== shallowOf(repo)) return false
  return (
    old !== undefined ||
    found === undefined ||
    !textOf(found)
      .trim()
      .split('\n')
      .every((commit) => hasParents(repo, commit))
  )
}

function hasParents(repo: Repo, commit: string): boolean {
  const text = tryGit(repo, ['cat-file', 'commit', commit]).stdout.toString()
  const parents = /^(?:.+\n)*/.exec(text)?.[0].match(/^parent \S+$/gm) ?? []
  return (
    text !== '' && parents.every((line) => tryGit(repo, ['cat-file', '-e', line.slice('parent '.length)]).code === 0)
  )
}

/**
 * Files of the working tree are the person's and the work's: git shows their changes. Only the hooks that the git of gza
 * itself runs are put back there too.
 */
function isPutBack({ commonDir, workTree }: Repo, path: string): boolean {
  if (OWN_HOOKS.has(basename(path))) return true
  return path.startsWith(`${commonDir}/`) || workTree === null || !path.startsWith(`${workTree}/`)
}

/** The hooks of the person's own tree that changed. They are named once: all windows of this process share the state. */
export function changedTreeHooks(repo: Repo, before: SettingsState): string[] {
  const now = readWatched(repo, before)
  const paths = [...new Set([...Object.keys(before.files), ...Object.keys(now)])].filter(
    (path) => !isPutBack(repo, path),
  )
  const changed = paths.filter((path) => JSON.stringify(before.files[path]) !== JSON.stringify(now[path]))
  for (const path of changed) {
    const found = now[path]
    if (found === undefined) delete before.files[path]
    else before.files[path] = found
  }
  return changed.map((path) => nameOf(repo, path))
}

const OWN_HOOKS: ReadonlySet<string> = new Set(['reference-transaction', 'pre-auto-gc'])

function valuesIn(settings: readonly FoundSetting[], origin: string, key: string): string[] {
  return settings.flatMap((each) => (each.origin === origin && each.key === key ? [each.value] : []))
}

function howOf(was: boolean, is: boolean): SettingsChange['how'] {
  if (was && is) return 'changed'
  return is ? 'added' : 'removed'
}

function nameOf({ commonDir, workTree }: Repo, path: string): string {
  if (workTree !== null && path.startsWith(`${workTree}/`)) return relative(workTree, path)
  return path.startsWith(`${commonDir}/`) ? join('.git', relative(commonDir, path)) : path
}

function saveFile(folder: string, path: string, file: FoundFile | null): string | null {
  if (file === null) return null
  const copy = join(folder, basename(path))
  mkdirSync(folder, { recursive: true })
  writeFound(copy, file)
  return copy
}

function textOf({ content, isLink }: FoundFile): string {
  return isLink ? content : Buffer.from(content, 'base64').toString()
}

/** Removed first: it may be a link to something else. */
function writeFound(path: string, file: FoundFile | undefined): void {
  rmSync(path, { force: true, recursive: true })
  if (file === undefined) return
  mkdirSync(dirname(path), { recursive: true })
  if (file.isLink) {
    symlinkSync(file.content, path)
    return
  }
  writeFileSync(path, Buffer.from(file.content, 'base64'))
  chmodSync(path, file.mode)
}
