import {
  chmodSync,
  lstatSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { inPlace, refuseLinks } from './own-folders.ts'

/** Writes an executable text, unless it is already there. A process that runs the old one keeps it whole. */
export function putScript(path: string, text: string): void {
  refuseLinks(dirname(path))
  if (isScript(path, text)) return
  replace(path, (temporary) => {
    writeFileSync(temporary, text, { flag: 'wx', mode: 0o755 })
    chmodSync(temporary, 0o755)
  })
}

/** Writes several executable texts, by path. */
export function putScripts(texts: ReadonlyMap<string, string>): void {
  for (const [path, text] of texts) putScript(path, text)
}

/** Creates a symbolic link, unless it already exists. */
export function putLink(path: string, target: string): void {
  refuseLinks(dirname(path))
  if (isLink(path, target)) return
  replace(path, (temporary) => symlinkSync(target, temporary))
}

/** Creates several symbolic links, by path. */
export function putLinks(links: ReadonlyMap<string, string>): void {
  for (const [path, target] of links) putLink(path, target)
}

/** This program, as other processes can start it. */
export function ownExecutable(): string {
  return process.execPath
}

function isScript(path: string, text: string): boolean {
  try {
    const stat = lstatSync(path)
    return stat.isFile() && (stat.mode & 0o111) === 0o111 && readFileSync(path, 'utf8') === text
  } catch {
    return false
  }
}

function isLink(path: string, target: string): boolean {
  try {
    return readlinkSync(path) === target
  } catch {
    return false
  }
}

function replace(path: string, write: (temporary: string) => void): void {
  inPlace(path, (place) => {
    const temporary = `${place}.${process.pid}`
    rmSync(temporary, { force: true })
    write(temporary)
    renameSync(temporary, place)
  })
}
