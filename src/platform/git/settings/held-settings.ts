/**
 * What made git run something before an agent or a check started, kept in memory and on disk until it has ended. As long
 * as it is held, every git of gza runs with these settings, whatever is in the configuration files now. The record on
 * disk is for other commands, and for the time after a crash.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { removeEmptyFolder, removeFile, writeText } from '../../files/files.ts'
import { isSameProcess, processStartTime } from '../../processes/process-identity.ts'
import type { Repo } from '../find-repo.ts'
import { isExecutingChange, isRemoteAddress, neutralEntries, valuesOf } from './executing-keys.ts'
import { type HeldPlace, placeOfHeld, stateHere } from './held-place.ts'
import { type Entry, neutralizeWith } from './neutral-settings.ts'
import { type FoundFile, readSettingsState, readWatched, type SettingsState, stampOf } from './settings-state.ts'

export interface HeldRecord {
  run: string
  kind: 'agent' | 'check'
  pid: number
  startTime: string | null
  /** Not in what an older gza has held. */
  place?: HeldPlace
  state: SettingsState
  /** What else the guard needs to know about that moment. */
  note: unknown
}

/** Those of processes that are gone are not settled yet. In a copied repository those of the original do not count. */
export function heldRecords(repo: Repo): HeldRecord[] {
  return storedRecords(repo).flatMap((record) => {
    const state = stateHere(repo, record)
    // Not a copy, which would read the note.
    return state === null ? [] : [Object.assign(record, { state })]
  })
}

function storedRecords(repo: Repo): HeldRecord[] {
  const folder = folderOf(repo)
  return namesIn(folder).flatMap((name) => {
    try {
      return [readRecord(readFileSync(join(folder, name), 'utf8'))]
    } catch {
      return []
    }
  })
}

/** A copied repository has the records of the original. */
export function forgetCopiedRecords(repo: Repo): void {
  const copied = storedRecords(repo).filter((record) => stateHere(repo, record) === null)
  for (const { run } of copied) forgetRecord(repo, run)
}

/**
 * The note has a line of its own: it lists every ref of the repository, and only a crash makes it necessary. Other commands
 * read these records as well.
 */
function readRecord(text: string): HeldRecord {
  const [record = '', note] = text.split('\n', 2)
  if (note !== undefined && !text.endsWith('\n')) throw new Error('it was not written to its end')
  const { note: within, ...rest } = JSON.parse(record) as HeldRecord
  return {
    ...rest,
    get note() {
      return note ? JSON.parse(note) : within
    },
  }
}

function writeRecord(path: string, { note, ...record }: HeldRecord): void {
  writeText(path, `${JSON.stringify(record)}\n${JSON.stringify(note)}\n`)
}

export function isOwnerAlive({ pid, startTime }: HeldRecord): boolean {
  return startTime !== null && isSameProcess(pid, startTime)
}

/** For commands that start no agent: what is planted while one runs, or since gza was killed, has no effect on them. */
export function respectHeld(repo: Repo): void {
  const [first] = heldRecords(repo)
  if (first !== undefined) neutralizeWith(finderOf(repo, first.state))
}

/** Holds what is there now, or what is held already: another agent may have changed it. */
export function holdSettings(repo: Repo, about: Pick<HeldRecord, 'run' | 'kind' | 'note'>): SettingsState | null {
  const state = heldHere?.state ?? heldRecords(repo).find(isOwnerAlive)?.state ?? readSettingsState(repo)
  if (state === null) return null
  const startTime = processStartTime(process.pid)
  const record: HeldRecord = { ...about, pid: process.pid, startTime, place: placeOfHeld(repo), state }
  writeRecord(fileOf(repo, about.run), record)
  if (heldHere === null) neutralizeWith(finderOf(repo, state))
  heldHere = { state, count: (heldHere?.count ?? 0) + 1 }
  return state
}

/** Call it after everything was put back. */
export function releaseSettings(repo: Repo, run: string): void {
  forgetRecord(repo, run)
  if (heldHere === null) return
  heldHere = heldHere.count > 1 ? { ...heldHere, count: heldHere.count - 1 } : null
  if (heldHere === null) neutralizeWith(null)
}

export function forgetRecord(repo: Repo, run: string): void {
  removeFile(fileOf(repo, run))
  removeEmptyFolder(folderOf(repo))
}

let heldHere: { state: SettingsState; count: number } | null = null

function finderOf(repo: Repo, state: SettingsState): () => readonly Entry[] {
  let sources = state.sources
  let known: { stamp: string; entries: Entry[] } | null = null
  return () => {
    const stamp = stampOf(repo, { ...state, sources })
    if (known?.stamp === stamp) return known.entries
    const now = readSettingsState(repo)
    sources = [...new Set([...state.sources, ...(now?.sources ?? [])])]
    known = { stamp: stampOf(repo, { ...state, sources }), entries: entriesAgainst(repo, state, now) }
    return known.entries
  }
}

/** The settings that make git behave as before. */
function entriesAgainst(repo: Repo, before: SettingsState, now: SettingsState | null): Entry[] {
  const { hooks: folder } = before
  const isHooked = isSameFiles(hooksIn(before.files, folder), hooksIn(readWatched(repo, before), folder))
  const keys = new Set([...before.settings, ...(now?.settings ?? [])].map(({ key }) => key))
  const changed = [...keys].filter((key) => isChanged(before.settings, key, valuesOf(now?.settings ?? [], key)))
  const entries = changed.flatMap((key) => neutralEntries({ key, value: '' })).filter(({ key }) => key !== HOOKS)
  const isPart = (key: string) => changed.some((other) => partOf(other) === partOf(key))
  const restored = before.settings.filter(({ key }) => key !== HOOKS && isPart(key) && !isRemoteAddress(key))
  const hooks = isHooked ? folder : '/dev/null'
  const isMoved = !isHooked || changed.includes(HOOKS)
  return [
    ...entries,
    ...restored.map(({ key, value }) => ({ key, value })),
    ...changed
      .filter(isRemoteAddress)
      .flatMap((key) => addressEntries(addressesOf(before, key), addressesOf(now, key))),
    ...(isMoved ? [{ key: HOOKS, value: hooks }] : []),
  ]
}

const HOOKS = 'core.hookspath'

/** The settings of one filter belong together. */
function partOf(key: string): string {
  return key.startsWith('filter.') ? key.slice(0, key.lastIndexOf('.')) : key
}

function isChanged(before: readonly Entry[], key: string, found: readonly string[]): boolean {
  const old = valuesOf(before, key)
  return JSON.stringify(old) !== JSON.stringify(found) && isExecutingChange({ key, old, found }, before)
}

/** A setting can only add an address to those of a remote. So the new ones are read as the old one, or as none. */
function addressEntries([old = '/dev/null/none']: readonly string[], found: readonly string[]): Entry[] {
  return found.filter((value) => value !== old).map((value) => ({ key: `url.${old}.insteadof`, value }))
}

/** Git pushes to the plain address of a remote that has no other for pushes. */
function addressesOf(state: SettingsState | null, key: string): string[] {
  const own = valuesOf(state?.settings ?? [], key)
  return own.length > 0 ? own : valuesOf(state?.settings ?? [], key.replace(/\.pushurl$/, '.url'))
}

function hooksIn(files: Record<string, FoundFile>, folder: string): Record<string, FoundFile> {
  return Object.fromEntries(Object.entries(files).filter(([path]) => path === folder || path.startsWith(`${folder}/`)))
}

function isSameFiles(one: Record<string, FoundFile>, other: Record<string, FoundFile>): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

function folderOf({ commonDir }: Repo): string {
  return join(commonDir, 'gza', 'guard', 'held')
}

function fileOf(repo: Repo, run: string): string {
  return join(folderOf(repo), `${run}.json`)
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort()
  } catch {
    return []
  }
}
