/**
 * The names of the texts that tasks make. `20261117-plan-it-2.md` in the ledger is the text of the second attempt, and
 * its copy is `.gza/plans/20261117-plan-it.md`. `20261117-plan-it-2.text-1.md` is that copy as a person changed it.
 */

import type { Note } from '../task/task.ts'

export interface TextName {
  /** The name of its copy, without `.md`. */
  stem: string
  attempt: number
  /** 0: as an agent wrote it. */
  edition: number
}

/** Null: the name of something else, for example of a file that was attached to a note. */
export function readTextName(name: string): TextName | null {
  const [, stem, attempt, edition] = TEXT_NAME.exec(name) ?? []
  return stem === undefined ? null : { stem, attempt: Number(attempt), edition: Number(edition ?? 0) }
}

// A join adds the beginning of the hash to the name of one of two texts that have the same name.
const TEXT_NAME = /^(\d{8}-[^.~]+)-(\d+)(?:\.text-(\d+))?\.md(?:~[0-9a-f]+)?$/

export function textName({ stem, attempt, edition }: TextName): string {
  return `${stem}-${attempt}${edition === 0 ? '' : `.text-${edition}`}.md`
}

/** Older texts first. */
export function compareTexts(a: TextName, b: TextName): number {
  return a.attempt - b.attempt || a.edition - b.edition
}

/** The note that is made when a person's text is taken in. Its removal takes the text back; the file stays. */
export function takeInNote(copy: string, name: string): string {
  return `took in ${copy} as ${name}`
}

/** The note that is made with a person's review. */
export function reviewNote(commit: string, name: string): string {
  return `reviewed ${commit.slice(0, 12)} as ${name}`
}

export function isTakenBack(notes: readonly Pick<Note, 'text' | 'retracted'>[], name: string): boolean {
  const about = notes.filter(({ text }) => /^(?:took in|reviewed) /.test(text) && text.endsWith(` as ${name}`))
  return about.length > 0 && about.every(({ retracted }) => retracted === true)
}

/** The first of `name`, `name-2`, `name-3`, … that is free. */
export function freeName(name: string, isTaken: (name: string) => boolean): string {
  for (let n = 1; ; n++) {
    const free = n === 1 ? name : `${name}-${n}`
    if (!isTaken(free)) return free
  }
}
