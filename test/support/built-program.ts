import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Where the built executable is. GZA_BIN names another one. */
export function binDir(): string {
  return dirname(process.env.GZA_BIN ?? join(import.meta.dir, '../../dist/gza'))
}

/** The built executable under one of its two names. */
export function bin(name: 'gza' | 'git-tasks'): string {
  const path = join(binDir(), name)
  if (!existsSync(path)) throw new Error(`${path} is missing: run \`npm run build\` first`)
  return path
}
