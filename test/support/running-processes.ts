import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

/** The command lines of all processes but this one whose environment holds the setting, as `NAME=value`. */
export function processesWith(setting: string): string[] {
  return pidsWith(setting)
    .map(commandLine)
    .filter((line) => line !== '')
}

/** The ids of the same processes. */
export function pidsWith(setting: string): number[] {
  return pids().filter((pid) => read(`/proc/${pid}/environ`).includes(`${setting}\0`) && commandLine(pid) !== '')
}

/** The ids of all processes but this one that have the file open. */
export function processesWithOpen(file: string): number[] {
  return pids().filter((pid) => descriptorsOf(pid).includes(file))
}

/** The ids of this process's children, also of those that have ended and were not reaped. */
export function childProcesses(): number[] {
  return pids().filter((pid) => parentOf(pid) === process.pid)
}

/** The ids of the children of a process, of their children, and so on. */
export function descendantsOf(ancestor: number): number[] {
  const parents = pids().map((pid) => ({ pid, parent: parentOf(pid) }))
  const below = (of: number): number[] =>
    parents.filter(({ parent }) => parent === of).flatMap(({ pid }) => [pid, ...below(pid)])
  return below(ancestor)
}

/** The ids of all processes whose command line contains the text. */
export function processesNaming(text: string): number[] {
  return pids().filter((pid) => read(`/proc/${pid}/cmdline`).includes(text))
}

function commandLine(pid: number): string {
  return read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').trim()
}

function parentOf(pid: number): number {
  return Number(/\) \S (\d+)/.exec(read(`/proc/${pid}/stat`))?.[1])
}

function pids(): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .map(Number)
}

function descriptorsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`).map((name) => readlinkSync(`/proc/${pid}/fd/${name}`))
  } catch {
    return []
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
