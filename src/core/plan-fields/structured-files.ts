import type { RawTask } from '../plan/plan-model.ts'
import { describeOutside, isOutside, isQuotedPath, readFileNames, tidyPath } from './file-names.ts'
import { structuredField } from './structured-names.ts'
import { isRecord, type Path, type Tree } from './structured-tree.ts'

/** A task whose files are read, and their position. */
interface FilePlace {
  tree: Tree
  task: RawTask
  path: Path
}

type FileList = 'files_to_create' | 'files_to_modify' | 'test_files'

/** Null, or what is wrong with the value. */
export function readFileList(place: FilePlace, value: unknown, list: FileList): string | null {
  for (const [index, one] of [value].flat().entries()) {
    if (typeof one !== 'string') return 'must be a list of texts'
    const texts = Array.isArray(value) ? [one] : one.split(',')
    const path = Array.isArray(value) ? [...place.path, index] : place.path
    for (const text of texts) addFile({ ...place, path }, text, list)
  }
  return null
}

/** A list in which each file names its role, or lists under `create`, `modify` and `test`. */
export function readFileGroups(place: FilePlace, value: unknown): string | null {
  if (isRecord(value)) {
    for (const [name, files] of Object.entries(value)) {
      const list = LISTS[structuredField(name) ?? '']
      if (list === undefined) return `'${name}' is not one of create, modify, test`
      const why = readFileList({ ...place, path: [...place.path, name] }, files, list)
      if (why !== null) return why
    }
    return null
  }
  for (const [index, one] of [value].flat().entries()) {
    const text = isRecord(one) ? `\`${one.path ?? one.file}\` (${one.action ?? one.type ?? ''})` : one
    if (typeof text !== 'string') return 'must be a list of texts'
    const path = Array.isArray(value) ? [...place.path, index] : place.path
    const { files, outside } = readFileNames(isQuotedPath(text) ? `\`${text}\`` : text)
    for (const file of files) addFile({ ...place, path }, file.path, LISTS[file.role ?? 'modify'] ?? 'files_to_modify')
    for (const file of outside) refuse({ ...place, path }, file)
  }
  return null
}

const LISTS: Record<string, FileList> = {
  create: 'files_to_create',
  modify: 'files_to_modify',
  tests: 'test_files',
  test: 'test_files',
}

/** Every entry in a list of files is a file, also with blanks in its name. */
function addFile(place: FilePlace, text: string, list: FileList): void {
  if (text.trim() === '') return
  const { files, outside } = readFileNames(isQuotedPath(text) ? `\`${text}\`` : text)
  const away = isOutside(text) ? text.trim() : outside[0]
  if (away !== undefined) {
    refuse(place, away)
    return
  }
  const file = files[0]?.path ?? tidyPath(text)
  if (!place.task[list].includes(file)) place.task[list].push(file)
}

function refuse({ tree, path }: FilePlace, file: string): void {
  tree.plan.warnings.push({ ...tree.positionOf(path), why: describeOutside(file) })
}
