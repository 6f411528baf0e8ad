/** Looks at the files of a project and proposes settings for it. */
import { detectNode } from './detect-node.ts'
import { detectTaskFile, OTHER_DETECTORS } from './detect-others.ts'
import { detectLoosePython, detectPython } from './detect-python.ts'
import { folderOf, type ProjectFiles, type ProjectFolder, type Toolchain } from './project-files.ts'

export interface Found extends ProjectFiles {
  /** Files that git ignores; a folder that is ignored as a whole ends with a slash. */
  ignored: readonly string[]
  /** Clients that are installed, the preferred one first. */
  clients: readonly string[]
}

/** Settings with their reasons, as they are shown in comments. Null: nothing is proposed. */
export interface Proposal {
  agent: string | null
  command: string | null
  testCommand: string | null
  setup: string | null
  copy: readonly string[]
  /** The files that `copy` matches now. */
  copied: readonly string[]
  workers: number
  /** What was recognised: `package-lock.json`, `api/go.mod`. */
  seen: readonly string[]
  notes: readonly string[]
  /** Why tasks should not run side by side. */
  shared: string | null
}

export function proposeSettings(found: Found): Proposal {
  const top = folderOf(found, '')
  const taskFile = detectTaskFile(top)
  const known = partsOf(found)
  const parts = known.length === 0 && taskFile === null ? detectLoosePython(top) : known
  const checked = parts.filter(({ command }) => command !== null)
  const isOwnCheck = taskFile !== null && checked.length !== 1
  const copied = found.ignored.filter((path) => /(^|\/)\.env[^/]*$/.test(path))
  const shared = sharedResource(found)
  return {
    agent: found.clients[0] ?? null,
    command: isOwnCheck ? taskFile.command : joined(checked.map((part) => part.command)),
    testCommand: checked.length === 1 && !isOwnCheck ? (checked[0]?.testCommand ?? null) : null,
    setup: joined(parts.map((part) => part.setup)),
    copy: copied.length === 0 ? [] : ['.env*'],
    copied,
    workers: shared === null ? 3 : 1,
    seen: [...parts.map(({ seen }) => seen), ...(isOwnCheck ? [taskFile.seen] : [])],
    notes: [...new Set(parts.flatMap(({ notes }) => notes))],
    shared,
  }
}

/** The toolchains at the top; if there are none, those of the folders below it. */
function partsOf(found: Found): Toolchain[] {
  const top = detectAll(folderOf(found, ''))
  if (top.length > 0) return top
  const folders = [...new Set(found.paths.flatMap((path) => /^([^/.][^/]*)\/[^/]+$/.exec(path)?.[1] ?? []))].sort()
  return folders.flatMap((folder) => detectAll(folderOf(found, folder)).map((part) => below(folder, part)))
}

function detectAll(folder: ProjectFolder): Toolchain[] {
  return [detectNode, detectPython, ...OTHER_DETECTORS].flatMap((detect) => detect(folder) ?? [])
}

function below(folder: string, part: Toolchain): Toolchain {
  const inside = (command: string | null) => (command === null ? null : `(cd ${quoted(folder)} && ${command})`)
  const { seen, setup, command, notes } = part
  return { seen: `${folder}/${seen}`, setup: inside(setup), command: inside(command), testCommand: null, notes }
}

function quoted(folder: string): string {
  return /^[\w@%+=:,./-]+$/.test(folder) ? folder : `'${folder.replaceAll("'", "'\\''")}'`
}

function joined(commands: readonly (string | null)[]): string | null {
  const given = commands.filter((command) => command !== null)
  return given.length === 0 ? null : given.join(' && ')
}

/** Containers have fixed names and ports, so two tasks at once would disturb each other. */
function sharedResource({ paths }: ProjectFiles): string | null {
  return paths.find((path) => /^(docker-)?compose\.ya?ml$/.test(path)) ?? null
}
