/** The files of a project as far as its set-up shows in them: paths that git tracks, and the texts of manifests. */
export interface ProjectFiles {
  paths: readonly string[]
  texts: ReadonlyMap<string, string>
}

/** One folder of the project, as a detector sees it. */
export interface ProjectFolder {
  /** Empty for the top of the repository. */
  path: string
  has(name: string): boolean
  /** Whether a file directly in the folder has a name like this. */
  hasLike(name: RegExp): boolean
  /** Whether a file anywhere below the folder has a path like this. */
  hasBelow(path: RegExp): boolean
  text(name: string): string
}

/** How to make one part of a project ready, and how to check it. */
export interface Toolchain {
  /** What it was recognised by, for a comment: `package-lock.json`. */
  seen: string
  setup: string | null
  command: string | null
  /** Runs single test files, which are appended. */
  testCommand: string | null
  /** What a person may want to know, as the end of a comment. */
  notes: readonly string[]
}

export function folderOf({ paths, texts }: ProjectFiles, folder: string): ProjectFolder {
  const start = folder === '' ? '' : `${folder}/`
  const below = paths.filter((path) => path.startsWith(start)).map((path) => path.slice(start.length))
  const names = new Set(below.filter((path) => !path.includes('/')))
  return {
    path: folder,
    has: (name) => names.has(name),
    hasLike: (name) => [...names].some((each) => name.test(each)),
    hasBelow: (path) => below.some((each) => path.test(each)),
    text: (name) => texts.get(`${start}${name}`) ?? '',
  }
}

/** The manifests whose texts a detector reads. */
export const MANIFESTS = [
  ...[
    'package.json',
    'yarn.lock',
    'pyproject.toml',
    'setup.cfg',
    'tox.ini',
    'requirements.txt',
    'requirements-dev.txt',
  ],
  ...['requirements-test.txt', 'dev-requirements.txt', 'Makefile', 'makefile', 'GNUmakefile', 'justfile', 'Justfile'],
  ...['Taskfile.yml', 'Rakefile', 'Gemfile', 'composer.json', 'deno.json', 'deno.jsonc', 'pubspec.yaml', 'Pipfile'],
]

/** The fields of a JSON manifest; none if it cannot be read. */
export function jsonFields(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

/** The texts of an object of texts, such as the scripts of a package.json. */
export function textFields(value: unknown): Record<string, string> {
  if (typeof value !== 'object' || value === null) return {}
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )
}
