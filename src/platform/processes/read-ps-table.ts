import { spawnSync } from 'node:child_process'
import type { ProcessEntry, ProcessTable } from './process-entry.ts'

/** Every process on systems without /proc (macOS, the BSDs): ps shows the environment after the command. */
export function readPsTable(): ProcessTable {
  const withEnvironment = process.platform === 'darwin' ? ['-A', '-E', '-ww'] : ['axeww']
  const args = [...withEnvironment, '-o', 'pid=,ppid=,pgid=,stat=,lstart=,command=']
  const ps = spawnSync('ps', args, { encoding: 'utf8', env: { PATH: '/bin:/usr/bin', LC_ALL: 'C' }, maxBuffer: 1e9 })
  if (ps.error) throw ps.error
  return parsePs(ps.stdout)
}

const LINE = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(\w+\s+\w+\s+\w+\s+[\d:]+\s+\d+)\s?(.*)$/

function parsePs(text: string): ProcessTable {
  const commands = new Map<number, string>()
  const entries = text.split('\n').flatMap((line): ProcessEntry[] => {
    const [, pid, parent, group, state = '', start = '', command = ''] = LINE.exec(line) ?? []
    if (pid === undefined) return []
    commands.set(Number(pid), command)
    const startedAt = Date.parse(start)
    // No column gives the session on every system; the group replaces it.
    const ids = { pid: Number(pid), parent: Number(parent), group: Number(group), session: Number(group) }
    return [{ ...ids, startedAt, isZombie: state.startsWith('Z') }]
  })
  const carrying: ProcessTable['carrying'] = (marker, some) =>
    some.filter(({ pid }) => ` ${commands.get(pid) ?? ''} `.includes(` GZA_RUN=${marker} `))
  return { entries, self: process.pid, carrying }
}
