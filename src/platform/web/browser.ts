import { spawn } from 'node:child_process'
import { readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makePrivateFolder } from '../files/private-folder.ts'
import { userStateFolder } from '../files/user-folders.ts'
import type { Env } from '../git/git.ts'

/**
 * Opens addresses in the person's browser. An address has a token, and every process of the machine can read command
 * lines: so the browser is given a file that only this user can read, which leads to the address.
 */
export function openBrowsers(env: Env) {
  const folder = join(userStateFolder(env), 'web')
  const fileOf = (token: string): string => join(folder, `open-${hashOf(token)}.html`)
  return {
    /** False: no browser can be opened here. */
    open(address: string, token: string): boolean {
      const program = browserProgram(env)
      if (program === null || !makePrivateFolder(folder)) return false
      writeFileSync(fileOf(token), redirectTo(address), { mode: 0o600, flag: 'wx' })
      const [command = '', ...args] = program
      const options = { detached: true, stdio: 'ignore', env: env as NodeJS.ProcessEnv } as const
      const child = spawn(command, [...args, fileOf(token)], options)
      child.on('error', () => rmSync(fileOf(token), { force: true }))
      child.unref()
      return true
    },
    /** Removes the file of a token that was used. Any process of this user may have written it. */
    forget: (token: string): void => rmSync(fileOf(token), { force: true }),
    /** Removes the files of tokens that are too old to be used. */
    removeOld(olderThanMs: number): void {
      for (const path of filesIn(folder)) if (ageOf(path) >= olderThanMs) rmSync(path, { force: true })
    },
  }
}

function hashOf(token: string): string {
  return new Bun.CryptoHasher('sha256').update(token).digest('hex').slice(0, 32)
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder).flatMap((name) => (/^open-.*\.html$/.test(name) ? [join(folder, name)] : []))
  } catch {
    return []
  }
}

function ageOf(path: string): number {
  return Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now())
}

/** Null: nothing could show a page here. */
function browserProgram(env: Env): string[] | null {
  if (env.BROWSER) return [env.BROWSER]
  if (process.platform === 'darwin') return ['open']
  return env.DISPLAY || env.WAYLAND_DISPLAY ? ['xdg-open'] : null
}

function redirectTo(address: string): string {
  return `<!doctype html><meta charset="utf-8"><title>gza</title><script>location.replace(${JSON.stringify(address)})</script>\n`
}
