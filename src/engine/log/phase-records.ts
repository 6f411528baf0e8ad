/**
 * What a run's phases were given and what they spent: one JSON object on a line, in a file for each run. For people who
 * look back; gza itself relies on none of it.
 */
import { z } from 'zod'
import { cutMiddle } from '../../core/text/cut-middle.ts'
import { appendText, readTextIfThere } from '../../platform/files/files.ts'
import type { Repo } from '../../platform/git/find-repo.ts'
import type { Env } from '../../platform/git/git.ts'
import { makeRedact } from '../guard/redact.ts'
import { gzaFolder } from './log-record.ts'

const at = z.string()
const phase = z.string()

/** `call`: an agent is called. `called`: that call has ended. `checked`: the checks have run on a commit. */
const RECORD = z.discriminatedUnion('kind', [
  z.object({
    ...{ kind: z.literal('call'), at, phase, agent: z.string(), model: z.string().nullable() },
    /** It continues the client's earlier conversation. */
    resumed: z.boolean(),
    prompt: z.string(),
  }),
  z.object({
    ...{ kind: z.literal('called'), at, phase, tokens_in: z.number(), tokens_out: z.number() },
    ...{ cost_usd: z.number(), turns: z.number(), failure: z.string().nullable() },
  }),
  z.object({
    ...{ kind: z.literal('checked'), at, phase, commit: z.string(), ok: z.boolean() },
    steps: z.array(z.object({ name: z.string(), ok: z.boolean(), ms: z.number(), output: z.string() })),
  }),
])

export type PhaseRecord = z.infer<typeof RECORD>
/** Without its time, which the writer adds. */
export type NewPhaseRecord = PhaseRecord extends infer R ? (R extends { at: string } ? Omit<R, 'at'> : never) : never

interface Place {
  repo: Repo
  run: string
  envs: readonly Env[]
  clock: () => number
}

/** More than any prompt has. */
const EDGES = { head: 1024 * 1024, tail: 64 * 1024 }

/** Writes without the secrets of `envs`. A record that cannot be written must not end the agent's work. */
export function openPhaseRecords({ repo, run, envs, clock }: Place): (record: NewPhaseRecord) => void {
  const redact = makeRedact(...envs)
  return (record) => {
    // Before it is cut: half of a secret would not be recognized.
    const clean = redact(record)
    const short = 'prompt' in clean ? { ...clean, prompt: cutMiddle(clean.prompt, EDGES) } : clean
    const line = JSON.stringify({ at: new Date(clock()).toISOString(), ...short })
    try {
      appendText(phaseRecordsPath(repo, run), `${line}\n`)
    } catch {
      // A full disk shows soon where it matters.
    }
  }
}

/** In the order of time. None if the run was in another clone, or before there were such records. */
export function readPhaseRecords(repo: Repo, run: string): PhaseRecord[] {
  const lines = readTextIfThere(phaseRecordsPath(repo, run))?.split('\n') ?? []
  return lines.flatMap((line) => {
    const record = RECORD.safeParse(parsed(line))
    return record.success ? [record.data] : []
  })
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return null
  }
}

/** A run is named by people's machines too: only what gza makes itself is a name of a file. */
function phaseRecordsPath(repo: Repo, run: string): string {
  return `${gzaFolder(repo)}/phases/${run.replace(/[^\w.-]/g, '_')}.jsonl`
}
