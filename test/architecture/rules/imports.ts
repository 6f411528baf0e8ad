import { areaOf, type Import, importsOf, type Source } from '../source.ts'

/** From the bottom to the top: a folder may import from the steps below its own. The table of CONTRIBUTING.md. */
export const STEPS: readonly (readonly string[])[] = [
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

const FACES = ['cli', 'mcp', 'web']
/** Below the faces, and still not for them: they only parse, call and print. */
const NOT_FOR_FACES = ['platform', 'ledger', 'state', 'agents']

/** Modules that use files, processes, the machine or the network. */
const OUTSIDE_WORLD = [
  ...['bun', 'bun:ffi', 'bun:sqlite', 'node:fs', 'node:fs/promises', 'node:child_process', 'node:cluster'],
  ...['node:dgram', 'node:dns', 'node:http', 'node:http2', 'node:https', 'node:net', 'node:os', 'node:process'],
  ...['node:readline', 'node:repl', 'node:tls', 'node:tty', 'node:worker_threads'],
]

/** Modules whose functions depend on their arguments only. jsonc-parser turns a text into a tree of positions. */
const PURE_MODULES = ['node:crypto', 'node:path', 'node:path/posix', 'node:buffer', 'node:util', 'jsonc-parser']

/** Modules that a file, or a folder with a slash at its end, may import although the rule forbids it. */
const ALLOWED: Record<string, readonly string[]> = {
  // bun:sqlite opens the database itself; everything else receives the open handle.
  'src/state/': ['bun:sqlite'],
  // The command line asks whether its descriptors are terminals, and reads standard input or the file named in its
  // place.
  'src/cli/': ['node:tty'],
  'src/cli/terminal/input.ts': ['node:fs'],
}

/** The entry point connects all parts, so it may import everything. */
const MAIN = 'main.ts'

/** Imports against the table, and modules that only platform may import. */
export function brokenImports(sources: readonly Source[]): string[] {
  return sources.flatMap((source) =>
    importsOf(source).flatMap((found) => {
      const problem = problemOf(source.path, found)
      return problem === null ? [] : [`${source.path}:${found.line}: ${problem}`]
    }),
  )
}

function problemOf(path: string, { specifier, target }: Import): string | null {
  const area = areaOf(path)
  if (target === null) return problemOfModule(path, area, specifier)
  if (/\/package\.json$/.test(specifier)) return null
  const targetArea = areaOf(target)
  if (area === MAIN || area === targetArea) return null
  if (stepOf(area) < 0) return `src/${area} is not a folder of the table (${TABLE})`
  const refused = `${area} may not import ${targetArea} (${specifier})`
  if (FACES.includes(area) && NOT_FOR_FACES.includes(targetArea))
    return `${refused}: a face calls a use case in the folder of its subject`
  if (stepOf(targetArea) < stepOf(area)) return null
  return `${refused}: a folder imports only from folders with a lower step (${TABLE})`
}

/** Where a reader of the message finds the table. */
const TABLE = 'CONTRIBUTING.md, "Who may import whom"'

function stepOf(area: string): number {
  return STEPS.findIndex((step) => step.includes(area))
}

function problemOfModule(path: string, area: string, specifier: string): string | null {
  if (area === 'platform' || area === MAIN || isAllowed(path, specifier)) return null
  if (OUTSIDE_WORLD.includes(specifier))
    return `only platform imports ${specifier}: call a function of src/platform, in a folder that may import it`
  if (area === 'core' && !PURE_MODULES.includes(specifier))
    return `core may not import ${specifier}: it is pure, so take the value as an argument`
  return null
}

function isAllowed(path: string, specifier: string): boolean {
  return Object.entries(ALLOWED).some(
    ([place, names]) => (place.endsWith('/') ? path.startsWith(place) : path === place) && names.includes(specifier),
  )
}
