/** Which changed files a task has not declared. A task that declares no file has no limits. */
import type { Task } from '../task/task.ts'
import { normalPath } from '../text/normal-path.ts'

type Declaring = Pick<Task, 'files_to_create' | 'files_to_modify' | 'test_files'>

export function declaredFiles({ files_to_create = [], files_to_modify = [], test_files = [] }: Declaring): string[] {
  return [...files_to_create, ...files_to_modify, ...test_files]
}

/** `declared`: files, folders and patterns. A lock file belongs to the manifest beside it. */
export function outsideScope(declared: readonly string[], changed: readonly string[]): string[] {
  if (declared.length === 0) return []
  const paths = declared.map(normalPath)
  const known = new Set(paths)
  const patterns = paths.filter((path) => /[*?[{]/.test(path)).map((path) => new Bun.Glob(path))
  const isDeclared = (file: string) =>
    known.has(file) ||
    paths.some((path) => path === '.' || file.startsWith(`${path}/`)) ||
    patterns.some((pattern) => pattern.match(file))
  const isLocked = (file: string) => manifestsOf(file).some(isDeclared)
  return changed.filter((file) => !isDeclared(file) && !isLocked(file))
}

/** What a package manager writes together with the manifest. */
const LOCK_FILES: Record<string, string> = {
  'package-lock.json': 'package.json',
  'npm-shrinkwrap.json': 'package.json',
  'pnpm-lock.yaml': 'package.json',
  'yarn.lock': 'package.json',
  'bun.lock': 'package.json',
  'bun.lockb': 'package.json',
  'Cargo.lock': 'Cargo.toml',
  'go.sum': 'go.mod',
  'uv.lock': 'pyproject.toml',
  'poetry.lock': 'pyproject.toml',
  'pdm.lock': 'pyproject.toml',
  'Pipfile.lock': 'Pipfile',
  'Gemfile.lock': 'Gemfile',
  'composer.lock': 'composer.json',
  'mix.lock': 'mix.exs',
  'pubspec.lock': 'pubspec.yaml',
  'Podfile.lock': 'Podfile',
  'flake.lock': 'flake.nix',
  'deno.lock': 'deno.json',
}

function manifestsOf(file: string): string[] {
  const at = file.lastIndexOf('/') + 1
  const manifest = LOCK_FILES[file.slice(at)]
  return manifest === undefined ? [] : [`${file.slice(0, at)}${manifest}`]
}
