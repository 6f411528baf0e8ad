import { jsonFields, type ProjectFolder, type Toolchain, textFields } from './project-files.ts'

type Detector = (folder: ProjectFolder) => Toolchain | null

/** Toolchains that download into a folder of the person need no set-up of their own. */
const SHARED_DOWNLOADS = 'Packages are downloaded into a folder that all worktrees share, so no set-up is needed.'

export const OTHER_DETECTORS: readonly Detector[] = [
  (folder) => (folder.has('go.mod') ? found('go.mod', { command: 'go test ./...', notes: [SHARED_DOWNLOADS] }) : null),
  (folder) =>
    folder.has('Cargo.toml') ? found('Cargo.toml', { command: 'cargo test', notes: [SHARED_DOWNLOADS] }) : null,
  detectRuby,
  detectPhp,
  detectJvm,
  detectDotnet,
  (folder) =>
    folder.has('mix.exs')
      ? found('mix.exs', { setup: 'mix deps.get', command: 'mix test', testCommand: 'mix test' })
      : null,
  detectDeno,
  detectDart,
  (folder) => (folder.has('Package.swift') ? found('Package.swift', { command: 'swift test' }) : null),
  (folder) => (folder.has('build.zig') ? found('build.zig', { command: 'zig build test' }) : null),
  (folder) => (folder.has('build.sbt') ? found('build.sbt', { command: 'sbt test' }) : null),
  (folder) => (folder.has('stack.yaml') ? found('stack.yaml', { command: 'stack test' }) : null),
  (folder) => (folder.has('MODULE.bazel') ? found('MODULE.bazel', { command: 'bazel test //...' }) : null),
]

/** A file of commands that the project itself keeps: used where it is the only check, or the one for several languages. */
export function detectTaskFile(folder: ProjectFolder): Toolchain | null {
  for (const [program, names, target] of TASK_FILES) {
    const name = names.find((each) => folder.has(each))
    if (name === undefined) continue
    const goal = ['test', 'check'].find((each) => target(each).test(folder.text(name)))
    if (goal !== undefined) return found(name, { command: `${program} ${goal}` })
  }
  return null
}

const TASK_FILES: readonly [string, readonly string[], (goal: string) => RegExp][] = [
  ['make', ['Makefile', 'makefile', 'GNUmakefile'], (goal) => new RegExp(`^${goal}\\s*:(?!=)`, 'm')],
  ['just', ['justfile', 'Justfile'], (goal) => new RegExp(`^@?${goal}\\b[^\\n:=]*:(?!=)`, 'm')],
  ['task', ['Taskfile.yml'], (goal) => new RegExp(`^ {2}${goal}:`, 'm')],
]

function found(seen: string, rest: Partial<Toolchain>): Toolchain {
  return { seen, setup: null, command: null, testCommand: null, notes: [], ...rest }
}

function detectRuby(folder: ProjectFolder): Toolchain | null {
  if (!folder.has('Gemfile') && !folder.has('Rakefile')) return null
  const bundle = folder.has('Gemfile') ? 'bundle exec ' : ''
  const setup = folder.has('Gemfile') ? { setup: 'bundle install' } : {}
  const seen = folder.has('Gemfile') ? 'Gemfile' : 'Rakefile'
  if (folder.has('.rspec') || folder.hasBelow(/^spec\/.*_spec\.rb$/))
    return found(seen, { ...setup, command: `${bundle}rspec`, testCommand: `${bundle}rspec` })
  if (folder.hasBelow(/^bin\/rails$/))
    return found(seen, { ...setup, command: 'bin/rails test', testCommand: 'bin/rails test' })
  const hasTask = /Rake::TestTask|task\s+:?["']?test\b|["']test["']/.test(folder.text('Rakefile'))
  return found(seen, { ...setup, command: hasTask ? `${bundle}rake test` : null })
}

function detectPhp(folder: ProjectFolder): Toolchain | null {
  if (!folder.has('composer.json')) return null
  const manifest = jsonFields(folder.text('composer.json'))
  const packages = textFields(manifest['require-dev'])
  const setup = 'composer install --no-interaction'
  const hasScript = typeof manifest.scripts === 'object' && manifest.scripts !== null && 'test' in manifest.scripts
  if (hasScript) return found('composer.json', { setup, command: 'composer test' })
  if ('pestphp/pest' in packages) return found('composer.json', { setup, command: 'vendor/bin/pest' })
  const isUnit = 'phpunit/phpunit' in packages || folder.hasLike(/^phpunit\.xml(\.dist)?$/)
  return found('composer.json', { setup, command: isUnit ? 'vendor/bin/phpunit' : null })
}

function detectJvm(folder: ProjectFolder): Toolchain | null {
  const notes = [SHARED_DOWNLOADS]
  if (folder.has('pom.xml'))
    return found('pom.xml', { command: `${folder.has('mvnw') ? './mvnw' : 'mvn'} -B test`, notes })
  const build = ['build.gradle.kts', 'build.gradle', 'settings.gradle.kts', 'settings.gradle'].find((name) =>
    folder.has(name),
  )
  return build === undefined
    ? null
    : found(build, { command: `${folder.has('gradlew') ? './gradlew' : 'gradle'} test`, notes })
}

function detectDotnet(folder: ProjectFolder): Toolchain | null {
  if (!folder.hasLike(/\.(slnx?|csproj|fsproj|vbproj)$/)) return null
  return found('.NET project', { setup: 'dotnet restore', command: 'dotnet test' })
}

function detectDeno(folder: ProjectFolder): Toolchain | null {
  const name = ['deno.json', 'deno.jsonc'].find((each) => folder.has(each))
  if (name === undefined) return null
  const command = /"tasks"\s*:\s*\{[^}]*"test"\s*:/.test(folder.text(name)) ? 'deno task test' : 'deno test'
  return found(name, { command, testCommand: 'deno test' })
}

function detectDart(folder: ProjectFolder): Toolchain | null {
  if (!folder.has('pubspec.yaml')) return null
  const tool = /^\s+sdk:\s*flutter/m.test(folder.text('pubspec.yaml')) ? 'flutter' : 'dart'
  return found('pubspec.yaml', { setup: `${tool} pub get`, command: `${tool} test`, testCommand: `${tool} test` })
}
