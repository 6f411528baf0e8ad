import { jsonFields, type ProjectFolder, type Toolchain, textFields } from './project-files.ts'

/** A project with a package.json: scripts of the project, run by the package manager of its lock file. */
export function detectNode(folder: ProjectFolder): Toolchain | null {
  if (!folder.has('package.json')) return null
  const manifest = jsonFields(folder.text('package.json'))
  const scripts = textFields(manifest.scripts)
  const packages = { ...textFields(manifest.dependencies), ...textFields(manifest.devDependencies) }
  const tool = installerFor(folder, String(manifest.packageManager ?? ''))
  const isMany = manifest.workspaces !== undefined || folder.has('pnpm-workspace.yaml')
  const needsInstall = Object.keys(packages).length > 0 || isMany || tool.isLocked
  const { command, note } = checkOf(folder, { scripts, tool, isMany, packages })
  const others = ['lint', 'typecheck', 'type-check', 'check', 'build'].filter(
    (name) => name in scripts && !command?.endsWith(` ${name}`),
  )
  return {
    seen: tool.seen,
    setup: needsInstall ? tool.install : null,
    command,
    testCommand: isMany ? null : testCommandOf({ scripts, packages, tool }),
    notes: [
      ...(note === null ? [] : [note]),
      ...(needsInstall && !tool.isLocked ? ['There is no lock file, so each worktree may get other versions.'] : []),
      ...(others.length > 0 ? [`Other scripts that could be checked too: ${others.join(', ')}.`] : []),
    ],
  }
}

interface PackageTool {
  seen: string
  install: string
  isLocked: boolean
  /** Runs a script of package.json. */
  run: (script: string) => string
  /** Runs a program of an installed package. */
  exec: string
  /** Runs a script in every package of a workspace. */
  runAll: (script: string) => string
}

const NPM = {
  run: (script: string) => (script === 'test' ? 'npm test' : `npm run ${script}`),
  exec: 'npx',
  runAll: (script: string) => `npm run ${script} --workspaces --if-present`,
}
const PNPM = {
  run: (script: string) => `pnpm ${script}`,
  exec: 'pnpm exec',
  runAll: (script: string) => `pnpm -r ${script}`,
}
const YARN = { run: (script: string) => `yarn ${script}`, exec: 'yarn' }
const YARN_1 = { ...YARN, runAll: (script: string) => `yarn workspaces run ${script}` }
const YARN_2 = { ...YARN, runAll: (script: string) => `yarn workspaces foreach --all run ${script}` }
const BUN = {
  run: (script: string) => `bun run ${script}`,
  exec: 'bunx',
  runAll: (script: string) => `bun run --filter '*' ${script}`,
}

/** The lock file decides, then the field `packageManager`. */
function installerFor(folder: ProjectFolder, declared: string): PackageTool {
  const locked = (seen: string) => ({ seen, isLocked: true })
  const named = (name: string) => declared.startsWith(`${name}@`)
  if (folder.has('bun.lock') || folder.has('bun.lockb'))
    return { ...BUN, ...locked('bun.lock'), install: 'bun install --frozen-lockfile' }
  if (folder.has('pnpm-lock.yaml')) return { ...PNPM, ...locked('pnpm-lock.yaml'), install: 'pnpm i --frozen-lockfile' }
  if (folder.has('yarn.lock')) {
    const isClassic =
      !/^__metadata:/m.test(folder.text('yarn.lock')) && !folder.has('.yarnrc.yml') && !/^yarn@[2-9]/.test(declared)
    return isClassic
      ? { ...YARN_1, ...locked('yarn.lock'), install: 'yarn install --frozen-lockfile' }
      : { ...YARN_2, ...locked('yarn.lock'), install: 'yarn install --immutable' }
  }
  const npmLock = ['package-lock.json', 'npm-shrinkwrap.json'].find((name) => folder.has(name))
  if (npmLock !== undefined) return { ...NPM, ...locked(npmLock), install: 'npm ci' }
  const unlocked = { seen: 'package.json', isLocked: false }
  if (named('pnpm')) return { ...PNPM, ...unlocked, install: 'pnpm install' }
  if (named('bun')) return { ...BUN, ...unlocked, install: 'bun install' }
  if (named('yarn')) return { ...YARN_2, ...unlocked, install: 'yarn install' }
  return { ...NPM, ...unlocked, install: 'npm install' }
}

interface NodeProject {
  scripts: Record<string, string>
  packages: Record<string, string>
  tool: PackageTool
}

function checkOf(
  folder: ProjectFolder,
  { scripts, packages, tool, isMany }: NodeProject & { isMany: boolean },
): { command: string | null; note: string | null } {
  if (isTest(scripts.test)) {
    const isWatching = /--watch(?!-?all=false|=false)\b|react-scripts test/i.test(scripts.test ?? '')
    return { command: `${isWatching ? 'CI=true ' : ''}${tool.run('test')}`, note: null }
  }
  const monorepo = monorepoCheck(folder, packages, tool)
  if (monorepo !== null) return { command: monorepo, note: null }
  if (isMany) return { command: tool.runAll('test'), note: null }
  const runner = runnerOf(packages, tool)
  if (runner !== null) return { command: runner.all, note: null }
  const other = ['check', 'typecheck', 'type-check', 'build', 'lint'].find((name) => name in scripts)
  if (other === undefined) return { command: null, note: 'package.json has no test script.' }
  return { command: tool.run(other), note: `package.json has no test script, so its script ${other} is the check.` }
}

/** npm writes a script that only fails. */
function isTest(script: string | undefined): boolean {
  return script !== undefined && script.trim() !== '' && !/no test specified/i.test(script)
}

function monorepoCheck(folder: ProjectFolder, packages: Record<string, string>, { exec }: PackageTool): string | null {
  if (folder.has('turbo.json') && 'turbo' in packages) return `${exec} turbo run test`
  if (folder.has('nx.json') && 'nx' in packages) return `${exec} nx run-many -t test`
  if (folder.has('lerna.json') && 'lerna' in packages) return `${exec} lerna run test`
  return null
}

/** How the test runners are called for all tests and for single files. */
function runnerOf(packages: Record<string, string>, { exec }: PackageTool): { all: string; files: string } | null {
  if ('vitest' in packages) return { all: `${exec} vitest run`, files: `${exec} vitest run` }
  if ('jest' in packages) return { all: `${exec} jest`, files: `${exec} jest --runTestsByPath` }
  if ('mocha' in packages) return { all: `${exec} mocha`, files: `${exec} mocha` }
  if ('ava' in packages) return { all: `${exec} ava`, files: `${exec} ava` }
  return null
}

function testCommandOf({ scripts, packages, tool }: NodeProject): string | null {
  const script = scripts.test ?? ''
  if (/\bbun test\b/.test(script)) return 'bun test'
  const loader = /\bnode ((?:--import|--loader|--require|-r)[ =]\S+ )*--test\b/.exec(script)
  if (loader !== null) return loader[0]
  return runnerOf(packages, tool)?.files ?? null
}
