import { readdirSync, readFileSync } from 'node:fs'

/** The command lines of all processes but this one whose environment holds the setting, as `NAME=value`. */
export function processesWith(setting: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => read(`/proc/${pid}/environ`).includes(`${setting}\0`))
    .map((pid) => read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').trim())
    .filter((line) => line !== '')
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
