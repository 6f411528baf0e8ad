import { readDependencyText } from '../plan/dependency-text.ts'
import { readPriority } from '../plan-fields/field-values.ts'
import { type NamedFiles, readFileNames } from '../plan-fields/file-names.ts'
import type { Priority } from '../task/task.ts'

export interface TitleNotes {
  title: string
  waitsFor: string[]
  priority?: Priority
  /** Files that the title names without a role: `Tokens (`src/tokens.ts`)`. */
  files: NamedFiles['files']
}

/** A title without the notes in brackets that plans append: `Login form (depends on T1) [P1]`. */
export function readTitleNotes(text: string): TitleNotes {
  const notes: TitleNotes = { title: text, waitsFor: [], files: filesIn(text) }
  // Spec Kit's mark for tasks that may run in parallel. Dependencies express that better.
  let rest = text.replace(/^(?:\[P\]\s*)+/, '').replace(/\*\*/g, '')
  for (let tries = 0; tries < 4; tries++) {
    const found = /\s*[[(]([^()[\]]{1,200})[\])]\s*$/.exec(rest)
    if (!found || !takeNote(notes, found[1] ?? '')) break
    rest = rest.slice(0, found.index)
  }
  const stated = STATED_DEPENDENCY.exec(rest)
  if (stated && readDependencyText(stated[1] ?? '').every(({ kind }) => kind !== 'words')) {
    notes.waitsFor.push(stated[1] ?? '')
    rest = rest.slice(0, stated.index)
  }
  notes.title = rest.trim() || text
  return notes
}

/** A title that is a path, or ends with one in brackets. */
function filesIn(text: string): NamedFiles['files'] {
  const named = /^`[^`]+`\s*(?:\([\w ]+\))?$/.test(text) ? text : (/\((`[^()]+`)\)\s*$/.exec(text)?.[1] ?? '')
  return readFileNames(named).files
}

/** `Login form — depends on T1` */
const STATED_DEPENDENCY = /(?:\s+[-–—]\s+|[,;]\s+)(?:depends on|after|blocked by|requires|needs)\b:?\s*(\S.{0,200})$/i

function takeNote(notes: TitleNotes, note: string): boolean {
  const waits = /^(?:depends on|after|blocked by|requires|needs|deps?)\b:?\s*(.+)$/i.exec(note)
  if (waits) {
    notes.waitsFor.push(waits[1] ?? '')
    return true
  }
  const priority = readPriority(note.replace(/^priority\b:?\s*/i, ''))
  const isMeant = /^(?:p[0-5]|priority\b.*|critical|(?:high|medium|low)(?: priority)?)$/i.test(note)
  if (priority === null || !isMeant) return note === 'P'
  notes.priority = priority
  return true
}
