import { chmodSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { aRepo, type Repo } from '../support/repo.ts'

export interface GatedRepo extends Repo {
  /** Lets the agents that wait at the gate continue. */
  openGate(): void
}

/**
 * A repository whose agent is the given shell script. The script may call `gate` to wait for the test, and `commit` to
 * commit a file of its own; `$attempt` counts its calls for one branch.
 */
export function aGatedRepo(script: string, config = ''): GatedRepo {
  const repo = aRepo({ env: { GZA_TRUST: '1' } })
  const root = dirname(repo.dir)
  const gate = join(root, 'gate')
  const agent = repo.write('../agent', `#!/bin/sh\n${PRELUDE.replaceAll('GATE', gate)}\n${script}\n`)
  chmodSync(agent, 0o755)
  const base = `defaults: { agent: scripted }\nagents: { scripted: { command: ${agent} } }\n`
  repo.commit('Set up', { 'gza.yaml': `${base}retry: { backoff_seconds: 0.1 }\n${config}` })
  return { ...repo, openGate: () => repo.write('../gate', '') }
}

const PRELUDE = `branch=$(git symbolic-ref --short HEAD)
gate() { while [ ! -e GATE ]; do sleep 0.05; done; }
commit() { echo "$attempt" >"$branch.txt"; git add .; git commit -q -m "Work on $branch"; }
echo x >>"GATE.$branch"
attempt=$(($(wc -l <"GATE.$branch")))`

/** The text without what differs from run to run: ids, runs, clocks and seconds. */
export function settled(text: string): string {
  return text
    .replace(/\b\d{14}-[0-9a-f]{6}\b/g, 'RUN')
    .replace(/\btask-[0-9a-f]{4,}\b/g, 'task-ID')
    .replace(/\b\d\d:\d\d:\d\d\b/g, 'HH:MM:SS')
    .replace(/\b\d{8}-(?=[a-z])/g, 'DATE-')
    .replace(/ +(?:\d+m)?\d+s\b/g, '  Ns')
    .replace(/\((?:\d+m)?\d+s\b/g, '(Ns')
}
