import { execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'

/**
 * Makes the two npm packages of this machine, `npm run pack [-- FOLDER]`: git-tasks with the launcher and the manual
 * pages, and @git-tasks/<platform> with the executable. npm picks the platform's package by os, cpu and libc; no
 * install script is needed.
 */
const ROOT = dirname(import.meta.dir)

interface Platform {
  os: string
  cpu: string
  libc?: string
}

/** Every platform that a release is built for, each on a machine of that platform. */
const PLATFORMS: Record<string, Platform> = {
  'linux-x64': { os: 'linux', cpu: 'x64', libc: 'glibc' },
  'linux-x64-musl': { os: 'linux', cpu: 'x64', libc: 'musl' },
  'linux-arm64': { os: 'linux', cpu: 'arm64', libc: 'glibc' },
  'linux-arm64-musl': { os: 'linux', cpu: 'arm64', libc: 'musl' },
  'darwin-x64': { os: 'darwin', cpu: 'x64' },
  'darwin-arm64': { os: 'darwin', cpu: 'arm64' },
}

const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))

pack(resolve(process.argv[2] ?? join(ROOT, 'dist/npm')))

function pack(folder: string): void {
  execFileSync(process.execPath, [join(ROOT, 'scripts/build.ts')], { stdio: 'inherit' })
  for (const staged of [stageLauncher(folder), stagePlatform(folder, platformHere())]) {
    const name = execFileSync('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: staged })
    console.log(join(folder, name.toString().trim()))
  }
}

function stageLauncher(folder: string): string {
  const staged = emptyFolder(join(folder, 'git-tasks'))
  const { name, version, description, license, bin, engines } = manifest
  const man = ['man/gza.1', 'man/git-tasks.1']
  const optionalDependencies = Object.fromEntries(Object.keys(PLATFORMS).map((key) => [`@git-tasks/${key}`, version]))
  writeManifest(staged, { name, version, description, license, bin, man, engines, optionalDependencies })
  // Two copies of one file, because npm leaves symbolic links out of a package.
  for (const path of ['bin/gza', 'bin/git-tasks']) copy(join(ROOT, path), join(staged, path))
  for (const path of man) copy(join(ROOT, 'dist/man/man1', basename(path)), join(staged, path))
  copyTexts(staged)
  return staged
}

function stagePlatform(folder: string, key: string): string {
  const staged = emptyFolder(join(folder, key))
  const { version, license } = manifest
  const { os, cpu, libc } = PLATFORMS[key] as Platform
  writeManifest(staged, {
    name: `@git-tasks/${key}`,
    version,
    description: `The executable of git-tasks for ${key}`,
    license,
    os: [os],
    cpu: [cpu],
    ...(libc === undefined ? {} : { libc: [libc] }),
  })
  copy(join(ROOT, 'dist/gza'), join(staged, 'bin/gza'))
  copyTexts(staged)
  return staged
}

function copyTexts(staged: string): void {
  for (const name of ['README.md', 'LICENSE', 'CHANGELOG.md']) {
    if (existsSync(join(ROOT, name))) copyFileSync(join(ROOT, name), join(staged, name))
  }
}

function platformHere(): string {
  const key = `${process.platform}-${process.arch}${needsMusl(join(ROOT, 'dist/gza')) ? '-musl' : ''}`
  if (PLATFORMS[key] === undefined) throw new Error(`${key} is not a platform of scripts/pack.ts`)
  return key
}

/** The header of the executable names the C library it was built for. */
function needsMusl(executable: string): boolean {
  return readFileSync(executable).subarray(0, 4096).includes('/ld-musl-')
}

function emptyFolder(path: string): string {
  rmSync(path, { recursive: true, force: true })
  mkdirSync(path, { recursive: true })
  return path
}

function writeManifest(staged: string, content: object): void {
  writeFileSync(join(staged, 'package.json'), `${JSON.stringify(content, null, 2)}\n`)
}

function copy(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true })
  copyFileSync(from, to)
}
