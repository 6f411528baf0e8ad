import {
  chmodSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'

/** Writes an executable text, unless it is already there. A process that runs the old one keeps it whole. */
export function putScript(path: string, text: string): void {
  if (isScript(path, text)) return
  replace(path, (temporary) => {
    writeFileSync(temporary, text)
    chmodSync(temporary, 0o755)
  })
}

/** Writes several executable texts, by path. */
export function putScripts(texts: ReadonlyMap<string, string>): void {
  for (const [path, text] of texts) putScript(path, text)
}

/** Creates a symbolic link, unless it already exists. */
export function putLink(path: string, target: string): void {
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
    return (statSync(path).mode & 0o111) === 0o111 && readFileSync(path, 'utf8') === text
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
  mkdirSync(dirname(path), { recursive: true })
  const temporary = `${path}.${process.pid}`
  write(temporary)
  renameSync(temporary, path)
}
