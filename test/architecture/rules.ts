import { dirname, join, normalize } from 'node:path/posix'

/** A source file as the rules see it; `path` begins with `src/`. */
export interface Source {
  path: string
  text: string
}

/** From the bottom to the top: a folder may import those before its own step. The table of CONTRIBUTING.md. */
const STEPS: readonly (readonly string[])[] = [
  ['core'],
  ['platform'],
  ['ledger', 'state', 'agents'],
  ['engine', 'workspace'],
  ['tasks'],
  ['runs'],
  ['planning', 'landing'],
  ['exchange'],
  ['reports'],
  ['scheduler'],
  ['fleet'],
  ['cli', 'mcp', 'web'],
]

/** What the faces, which only parse and print, may not import, though it lies below them. */
const NOT_FOR_FACES = ['platform', 'ledger', 'state', 'agents']
const FACES = ['cli', 'mcp', 'web']

/** Modules that touch files, processes, the machine or the network. */
const OUTSIDE_WORLD = [
  ...['bun', 'bun:ffi', 'bun:sqlite', 'node:fs', 'node:fs/promises', 'node:child_process', 'node:cluster'],
  ...['node:dgram', 'node:dns', 'node:http', 'node:http2', 'node:https', 'node:net', 'node:os', 'node:process'],
  ...['node:readline', 'node:repl', 'node:tls', 'node:tty', 'node:worker_threads'],
]

/** What may break a rule, and why. Keys are files, or folders with a slash at the end. */
const ALLOWED: Record<string, readonly string[]> = {
  // bun:sqlite opens the database itself; the rest of the room gets the open handle.
  'src/state/': ['bun:sqlite'],
  // The command line owns its three descriptors: it asks whether they are terminals, reads standard input (or the file
  // named in its place), and writes with writeSync, because touching process.stdout costs more than a whole command.
  'src/cli/': ['node:tty'],
  'src/cli/terminal/input.ts': ['node:fs'],
  'src/cli/terminal/output.ts': ['node:fs'],
}

const ENVIRONMENT = /\b(?:process|Bun|import\.meta)\.env\b/
const SPAWN_OR_FILE = /\bBun\.(?:\$|spawn|spawnSync|file|write|serve|connect|listen|sql)\b/
const CLOCK_OR_DICE = /\bDate\.now\(|\bnew Date\(\)|\bMath\.random\(|\brandom(?:UUID|Bytes|Int)\b|\bperformance\.now\(/
const LONGEST_FILE = 400

/** Every broken rule as `file:line: what`, tests beside the sources left out. */
export function brokenRules(sources: readonly Source[]): string[] {
  return sources.filter(({ path }) => !path.endsWith('.test.ts')).flatMap(checkFile)
}

function checkFile({ path, text }: Source): string[] {
  const lines = text.trimEnd().split('\n')
  const problems = lines.flatMap((line, index) =>
    isComment(line) ? [] : checkLine(path, line).map((problem) => `${path}:${index + 1}: ${problem}`),
  )
  if (lines.length <= LONGEST_FILE) return problems
  return [
    ...problems,
    `${path}:${LONGEST_FILE + 1}: the file has ${lines.length} lines, at most ${LONGEST_FILE} are allowed`,
  ]
}

function checkLine(path: string, line: string): string[] {
  const room = roomOf(path)
  const code = line.replace(/\s\/\/ .*$/, '')
  const specifier = importedFrom(code)
  return [
    specifier === null ? null : checkImport(path, specifier),
    isOutside(room) || !ENVIRONMENT.test(code) ? null : 'only platform reads the environment',
    isOutside(room) || !SPAWN_OR_FILE.test(code) ? null : 'only platform spawns processes and touches files',
    room !== 'core' || !CLOCK_OR_DICE.test(code) ? null : 'core takes time and randomness as arguments',
  ].filter((problem) => problem !== null)
}

function checkImport(path: string, specifier: string): string | null {
  const room = roomOf(path)
  if (!specifier.startsWith('.')) return checkModule(path, room, specifier)
  if (/\/package\.json$/.test(specifier)) return null
  const target = roomOf(normalize(join(dirname(path), specifier)))
  if (room === MAIN || room === target) return null
  if (stepOf(room) < 0) return `src/${room} is not a folder of the table`
  return mayImport(room, target) ? null : `${room} may not import ${target} (${specifier})`
}

function mayImport(room: string, target: string): boolean {
  const isHidden = FACES.includes(room) && NOT_FOR_FACES.includes(target)
  return stepOf(target) < stepOf(room) && !isHidden
}

function stepOf(room: string): number {
  return STEPS.findIndex((step) => step.includes(room))
}

function checkModule(path: string, room: string, specifier: string): string | null {
  if (isOutside(room) || isAllowed(path, specifier)) return null
  if (OUTSIDE_WORLD.includes(specifier)) return `only platform imports ${specifier}`
  if (room === 'core' && !PURE_MODULES.includes(specifier)) return `core may not import ${specifier}`
  return null
}

/** Deterministic parts of the runtime. */
const PURE_MODULES = ['node:crypto', 'node:path', 'node:path/posix', 'node:buffer', 'node:util']

const MAIN = 'main.ts'

/** The entry point wires the program up, so it sees what platform sees. */
function isOutside(room: string): boolean {
  return room === 'platform' || room === MAIN
}

function isAllowed(path: string, specifier: string): boolean {
  return Object.entries(ALLOWED).some(
    ([place, names]) => (place.endsWith('/') ? path.startsWith(place) : path === place) && names.includes(specifier),
  )
}

/** The module a line names. Biome puts the end of every import on a line of its own or beside its beginning. */
function importedFrom(line: string): string | null {
  const found =
    /^(?:import|export)\b.*\bfrom ['"]([^'"]+)['"]/.exec(line) ??
    /^\} from ['"]([^'"]+)['"]/.exec(line) ??
    /^import ['"]([^'"]+)['"]/.exec(line) ??
    /\b(?:import|require)\(['"]([^'"]+)['"]/.exec(line)
  return found?.[1] ?? null
}

function isComment(line: string): boolean {
  return /^\s*(?:\/\/|\/\*|\*)/.test(line)
}

function roomOf(path: string): string {
  return path.split('/')[1] ?? ''
}
