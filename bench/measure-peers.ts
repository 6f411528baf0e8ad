import { copyLedger, type Ledger } from './ledgers.ts'
import { PEER_COMMANDS, type Peer, type PeerCommand } from './peers.ts'
import type { Place } from './place.ts'
import { type Probe, timeInTurns } from './probe.ts'
import { summarize } from './statistics.ts'
import { count, milliseconds, renderTable, times } from './table.ts'

/** The same commands of the peers, alternating with gza's: the time of gza as a multiple of each. */
export function comparePeers(place: Place, ledgers: readonly Ledger[], peers: readonly Peer[], rounds: number): string {
  const head = ['what', 'tasks', 'n', 'gza', ...peers.flatMap(({ name }) => [name, 'gza ÷ it'])]
  const rows = ledgers.flatMap((ledger) =>
    compareAt(place, ledger, peers, ledger.tasks === 10 ? rounds : Math.ceil(rounds / 3)),
  )
  return renderTable(head, rows)
}

function compareAt(place: Place, ledger: Ledger, peers: readonly Peer[], rounds: number): string[][] {
  const stores = peers.map((peer) =>
    ledger.tasks <= peer.most ? peer.fill(`${peer.name}-${ledger.tasks}`, ledger.tasks) : null,
  )
  const ours = gzaProbes(place, ledger)
  return PEER_COMMANDS.map((command) => {
    const probes: Record<string, Probe> = { gza: ours[command] }
    peers.forEach(({ name }, index) => {
      const probe = stores[index]?.[command]
      if (probe) probes[name] = probe
    })
    const all = timeInTurns(probes, rounds)
    const gza = summarize(all.gza ?? []).median
    const cells = peers.flatMap(({ name }) => {
      const theirs = all[name]
      if (!theirs) return ['–', '']
      const { median } = summarize(theirs)
      return [milliseconds(median), times(gza / median)]
    })
    return [command, count(ledger.tasks), String(rounds), milliseconds(gza), ...cells]
  })
}

function gzaProbes(place: Place, ledger: Ledger): Record<PeerCommand, Probe> {
  const call = (dir: string, ...args: string[]): Probe => ({ argv: [place.gza, ...args], cwd: dir, env: place.env })
  return {
    ready: call(ledger.dir, 'ready'),
    next: call(ledger.dir, 'next'),
    show: call(ledger.dir, 'show', String(ledger.tasks)),
    add: call(copyLedger(place, ledger, `beside-peers-${ledger.tasks}`).dir, 'add', 'One more task'),
  }
}
