import { constants, copyFileSync, lstatSync, mkdirSync, readdirSync, renameSync, statSync, symlinkSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

/** Copies a file with its mode; never half. False: it is not a plain file, or something is in the way. */
export function placeCopy(from: string, folder: string, path: string): boolean {
  const to = join(folder, path)
  if (!statSync(from, { throwIfNoEntry: false })?.isFile() || !makeWay(folder, path)) return false
  const temporary = `${to}.gza-part`
  copyFileSync(from, temporary, constants.COPYFILE_FICLONE)
  renameSync(temporary, to)
  return true
}

/** Makes a link to something that exists. False: it does not exist, or something is in the way. */
export function placeLink(from: string, folder: string, path: string): boolean {
  if (statSync(from, { throwIfNoEntry: false }) === undefined || !makeWay(folder, path)) return false
  symlinkSync(from, join(folder, path))
  return true
}

/** Nothing has the name, and no link on the way leads out of the folder. */
function makeWay(folder: string, path: string): boolean {
  const parts = path.split('/')
  for (let depth = 1; depth <= parts.length; depth++) {
    const entry = lstatSync(join(folder, ...parts.slice(0, depth)), { throwIfNoEntry: false })
    if (entry !== undefined && (depth === parts.length || !entry.isDirectory())) return false
  }
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  return true
}

/** All files below a folder, relative to `top`. Links are listed and not followed; a nested repository is left out. */
export function filesBelow(top: string, folder: string): string[] {
  const place = join(top, folder)
  const entries = readdirSync(place, { withFileTypes: true })
  if (entries.some(({ name }) => name === '.git')) return []
  return entries.flatMap((entry) => {
    const path = relative(top, join(place, entry.name))
    return entry.isDirectory() ? filesBelow(top, path) : [path]
  })
}
