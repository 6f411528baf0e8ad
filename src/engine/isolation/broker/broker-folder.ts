import { createHash } from 'node:crypto'
import { basename, join } from 'node:path'
import { UserError } from '../../../core/user-error.ts'
import { listFolders, removeFolder } from '../../../platform/files/files.ts'
import {
  makeNewPrivateFolder,
  makePrivateFolder,
  TEMPORARY_ROOT,
  userId,
} from '../../../platform/files/private-folder.ts'
import { userStateFolder } from '../../../platform/files/user-folders.ts'
import type { Env } from '../../../platform/git/git.ts'
import { machineName } from '../../../platform/processes/machine.ts'
import { isSameProcess, processStartTime } from '../../../platform/processes/process-identity.ts'

/** The place of one broker, which only this user can enter. */
export interface BrokerFolder {
  path: string
  socket: string
  /** An empty folder that no agent can write. */
  empty: string
}

/** The system's limit is 108 bytes with the one that ends the text, on macOS 104. */
const LONGEST_PATH = 103

export function makeBrokerFolder(env: Env): BrokerFolder {
  const name = nameOfFolder()
  for (const root of rootsOf(env)) {
    const path = join(root, name)
    const socket = join(path, 'socket')
    if (Buffer.byteLength(socket) > LONGEST_PATH || !makePrivateFolder(root)) continue
    const empty = join(path, 'empty')
    makeNewPrivateFolder(path)
    makeNewPrivateFolder(empty)
    return { path, socket, empty }
  }
  throw new UserError('NO_BROKER_FOLDER', `There is no place for the socket of a run: ${rootsOf(env).join(' and ')}`, {
    hint: `Make sure that ${rootsOf(env)[1]} belongs to you, or set XDG_STATE_HOME to a folder with a short path.`,
  })
}

/** Removes what brokers of processes that were killed have left. */
export function removeDeadBrokers(env: Env): void {
  for (const folder of rootsOf(env).flatMap(listFolders)) {
    const [, machine, pid, start] = /^(\w+)-(\d+)-(\w+)-\d+$/.exec(basename(folder)) ?? []
    if (machine !== machineHash() || pid === undefined || start === undefined) continue
    if (!isSameProcess(Number(pid), start)) removeFolder(folder)
  }
}

/** The second one for a state folder whose path is too long. */
function rootsOf(env: Env): [string, string] {
  return [join(userStateFolder(env), 'brokers'), join(TEMPORARY_ROOT, `gza-brokers-${userId()}`)]
}

/** It says whose it is from the first moment, so that a folder is never taken for a dead one's. */
function nameOfFolder(): string {
  count += 1
  return [machineHash(), process.pid, processStartTime(process.pid), count].join('-')
}

let count = 0

/** Several machines may share a home folder, and a process of another one cannot be seen. */
function machineHash(): string {
  return createHash('sha256').update(machineName()).digest('hex').slice(0, 6)
}
