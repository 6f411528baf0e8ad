import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'

/**
 * The real clients, in exactly these versions (docs/clients.md). As a script, it installs the ones that
 * are missing.
 */
export const VERSIONS = {
  '@anthropic-ai/claude-code': '2.1.325',
  '@github/copilot': '1.0.102',
  '@google/gemini-cli': '0.61.0',
  // Looks at servers such as gza mcp. It needs Node 22, so it is not among the project's own packages.
  '@modelcontextprotocol/inspector': '2.12.0',
  '@openai/codex': '0.166.0',
  '@qwen-code/qwen-code': '0.24.4',
  'opencode-ai': '1.18.33',
  [nodePackage()]: '24.18.0',
}
const PROGRAMS = ['claude', 'codex', 'copilot', 'gemini', 'opencode', 'qwen', 'mcp-inspector', 'node']

/** The only install scripts that are needed: each replaces a placeholder with the executable for the platform. */
const INSTALLERS = ['@anthropic-ai/claude-code/install.cjs', 'opencode-ai/postinstall.mjs']

if (import.meta.main) installOrSayWhyNot()

function installOrSayWhyNot(): void {
  try {
    installedClients()
  } catch (error) {
    console.log(error instanceof Error ? error.message : error)
    process.exitCode = 1
  }
}

/** The folder with the clients. Missing ones are installed first. */
export function installedClients(): string {
  const folder = process.env.GZA_CLIENTS ?? join(cacheFolder(), 'gza', 'clients', nameOfVersions())
  const missing = missingIn(folder)
  if (missing.length === 0) return readableByAll(folder)
  if (existsSync(folder) && readdirSync(folder).length > 0)
    throw new Error(`${folder} has other things than the clients in it, and no ${missing.join(', ')}`)
  mkdirSync(dirname(folder), { recursive: true })
  // Installed in a temporary folder, then renamed: a folder with the right name is complete, even if two install at once.
  const work = mkdtempSync(`${folder}-`)
  try {
    console.log(`Installing ${PROGRAMS.join(', ')} (1.9 GB) into ${folder}`)
    install(work)
    if (missingIn(folder).length > 0) renameSync(work, folder)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
  return readableByAll(folder)
}

/** Tests run the clients as an ordinary user too. */
function readableByAll(folder: string): string {
  if (process.getuid?.() === 0) chmodSync(folder, 0o755)
  return folder
}

/**
 * Node for the clients that are scripts: qwen needs 22 or newer. The package `node` itself only fetches this one, with
 * an install script.
 */
function nodePackage(): string {
  const { platform, arch } = process
  return `${platform === 'darwin' && arch === 'arm64' ? 'node-bin' : 'node'}-${platform}-${arch}`
}

function missingIn(folder: string): string[] {
  return PROGRAMS.filter((program) => !existsSync(join(folder, 'node_modules/.bin', program)))
}

function install(work: string): void {
  writeFileSync(join(work, 'package.json'), JSON.stringify({ private: true, dependencies: VERSIONS }))
  run(['npm', 'install', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'], work)
  const modules = join(work, 'node_modules')
  for (const script of INSTALLERS) run(['node', join(modules, script)], dirname(join(modules, script)))
  const bin = join(modules, '.bin')
  const home = mkdtempSync(join(tmpdir(), 'gza-home-'))
  try {
    for (const program of PROGRAMS)
      run([join(bin, program), '--version'], work, { HOME: home, PATH: `${bin}${delimiter}${process.env.PATH}` })
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

function cacheFolder(): string {
  return process.env.XDG_CACHE_HOME || join(homedir(), process.platform === 'darwin' ? 'Library/Caches' : '.cache')
}

function nameOfVersions(): string {
  return createHash('sha256').update(JSON.stringify(VERSIONS)).digest('hex').slice(0, 12)
}

function run([program = '', ...args]: string[], cwd: string, env: NodeJS.ProcessEnv = {}): void {
  const result = spawnSync(program, args, { cwd, env: { ...process.env, ...env }, encoding: 'utf8' })
  if (result.status === 0) return
  const why = result.error?.message ?? `exit code ${result.status ?? result.signal}`
  throw new Error(`${result.stdout ?? ''}${result.stderr ?? ''}${program} ${args.join(' ')}: ${why}`)
}
