import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

/**
 * The processes that have the other end of a connection on 127.0.0.1. Empty if none can be seen: it is gone, it belongs
 * to another user, or the system does not tell.
 */
export function peerProcesses(serverPort: number, peerPort: number): number[] {
  if (process.platform !== 'linux') return []
  const inode = socketInode(peerPort, serverPort)
  if (inode === null) return []
  return processIds().filter((pid) => hasSocket(pid, inode))
}

/** Addresses are written in the byte order of the machine: 127.0.0.1 is 0100007F. */
function socketInode(localPort: number, remotePort: number): string | null {
  for (const [table, loopback] of Object.entries(TABLES)) {
    const [local, remote] = [localPort, remotePort].map((port) => `${loopback}:${hexOf(port)}`)
    for (const line of readTable(table)) {
      const fields = line.trim().split(/\s+/)
      if (fields[1] === local && fields[2] === remote) return fields[9] ?? null
    }
  }
  return null
}

/** A socket of IPv6 reaches 127.0.0.1 too. */
const TABLES = { '/proc/net/tcp': '0100007F', '/proc/net/tcp6': '0000000000000000FFFF00000100007F' }

function readTable(path: string): string[] {
  try {
    return readFileSync(path, 'utf8').split('\n').slice(1)
  } catch {
    // This system has no IPv6.
    return []
  }
}

function hexOf(port: number): string {
  return port.toString(16).toUpperCase().padStart(4, '0')
}

function processIds(): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
}

function hasSocket(pid: number, inode: string): boolean {
  try {
    return readdirSync(`/proc/${pid}/fd`).some((fd) => readlinkSync(`/proc/${pid}/fd/${fd}`) === `socket:[${inode}]`)
  } catch {
    // It has ended, a descriptor was closed meanwhile, or it belongs to another user.
    return false
  }
}
