/**
 * Commands that were started in the page. Each is a process of its own, in a session of its own, with its output in a
 * file: it continues when the page and the server are closed. A record beside its output identifies it by pid and start
 * time, so that a later server knows it too.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, mkdirSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { isoSeconds } from '../clock.ts'
import { listFiles, listFolders, readTextIfThere, removeFile, writeText } from '../files/files.ts'
import { inspectFile } from '../files/inspect-file.ts'
import { readPiece } from '../files/read-piece.ts'
import { userStateFolder } from '../files/user-folders.ts'
import type { Env } from '../git/git.ts'
import { isSameProcess, processStartTime } from '../processes/process-identity.ts'

const RECORD = z.object({
  ...{ args: z.array(z.string()), pid: z.number(), start_time: z.string(), started_at: z.string() },
  /** Null: it has not ended, or no server was there when it did. */
  code: z.number().nullable(),
})

type Kept = z.infer<typeof RECORD>

export interface StartedCommand extends Pick<Kept, 'args' | 'pid' | 'started_at' | 'code'> {
  /** Names it among the commands of its repository. */
  id: string
  isRunning: boolean
  /** The file with what it prints. */
  output: string
  /** The last lines of it. */
  lines: string[]
}

/** Long enough for a command that is refused at once, and short enough for a person who waits. */
const AT_ONCE_MS = 600
const MOST_KEPT = 20
const MOST_LINES = 40
const LONGEST_END = 16 * 1024

interface Order {
  /** The id of the repository. */
  id: string
  cwd: string
  args: readonly string[]
  /** Called when it has ended. */
  ended: () => void
}

export function openStartedCommands(env: Env) {
  const top = join(userStateFolder(env), 'web', 'started')
  const folderOf = (id: string) => join(top, id)
  return {
    /** Returns when it has ended, or after a moment in which it has not. */
    async start({ id, cwd, args, ended }: Order): Promise<StartedCommand> {
      const folder = folderOf(id)
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      forgetOld(folder)
      const name = `${new Date().toISOString().replace(/[:.]/g, '-')}-${process.pid}-${count++}`
      const child = startProcess(join(folder, `${name}.log`), cwd, args, env)
      const pid = child.pid as number
      const record: Kept = {
        ...{ args: [...args], pid, start_time: processStartTime(pid) ?? '' },
        ...{ started_at: isoSeconds(Date.now()), code: null },
      }
      const keep = (changed: Kept) => writeText(join(folder, `${name}.json`), JSON.stringify(changed))
      keep(record)
      const end = new Promise<void>((resolve) => {
        child.once('exit', (code) => {
          keep({ ...record, code: code ?? 1 })
          ended()
          resolve()
        })
      })
      await Promise.race([end, Bun.sleep(AT_ONCE_MS)])
      return described(folder, name) as StartedCommand
    },
    /** The newest first. */
    list: (id: string): StartedCommand[] =>
      namesIn(folderOf(id)).flatMap((name) => described(folderOf(id), name) ?? []),
    /** Those of all repositories that have not ended. */
    running: (): StartedCommand[] =>
      listFolders(top)
        .flatMap((folder) => namesIn(folder).flatMap((name) => described(folder, name) ?? []))
        .filter(({ isRunning }) => isRunning),
  }
}

let count = 0

function startProcess(output: string, cwd: string, args: readonly string[], env: Env): ChildProcess {
  const file = openSync(output, 'wx', 0o600)
  try {
    const child = spawn(process.execPath, [...args], {
      ...{ cwd, detached: true, stdio: ['ignore', file, file], env: env as NodeJS.ProcessEnv },
    })
    child.unref()
    return child
  } finally {
    closeSync(file)
  }
}

/** Names begin with their time. */
function namesIn(folder: string): string[] {
  const records = listFiles(folder).filter((path) => path.endsWith('.json'))
  return records.map((path) => path.slice(folder.length + 1, -'.json'.length)).sort((a, b) => (a < b ? 1 : -1))
}

function described(folder: string, name: string): StartedCommand | null {
  const record = RECORD.safeParse(parsed(readTextIfThere(join(folder, `${name}.json`)) ?? ''))
  if (!record.success) return null
  const { args, pid, start_time, started_at, code } = record.data
  const output = join(folder, `${name}.log`)
  const isRunning = code === null && isSameProcess(pid, start_time)
  return { id: name, args, pid, started_at, code, isRunning, output, lines: lastLines(output) }
}

function lastLines(path: string): string[] {
  const size = inspectFile(path)?.size ?? 0
  const end = readPiece(path, Math.max(0, size - LONGEST_END), LONGEST_END)
  const lines = new TextDecoder().decode(end).split('\n')
  return lines.filter((line) => line.trim() !== '').slice(-MOST_LINES)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function forgetOld(folder: string): void {
  for (const name of namesIn(folder).slice(MOST_KEPT)) {
    if (described(folder, name)?.isRunning) continue
    removeFile(join(folder, `${name}.json`))
    removeFile(join(folder, `${name}.log`))
  }
}
