import { basename } from 'node:path/posix'
import { canonical } from '../../core/ledger/canonical.ts'
import type { PlannedMilestone } from '../../core/plan/plan-model.ts'
import { readBlobs } from '../../ledger/read-blobs.ts'
import { artifactsOf } from '../../state/index/ledger-files.ts'
import type { LedgerView } from '../../workspace/ledger/ledger-view.ts'

export interface FiledMilestone {
  id: string
  name: string
  description: string
  state: 'new' | 'known'
}

export interface MilestonesOfPlan {
  /** By the id that the plan uses. */
  byId: Map<string, FiledMilestone>
  artifacts: Map<string, string>
  warnings: { line: number; why: string }[]
}

const FOLDER = 'artifacts/milestones/'

/**
 * The milestones of a plan as they are or will be in the ledger. Two plans may each have an M1: the later one is named
 * after its plan. An artifact never changes, so a new name or description is reported and not written.
 */
export function planMilestones(
  view: LedgerView,
  planFile: string,
  milestones: readonly PlannedMilestone[],
): MilestonesOfPlan {
  const known = milestones.length === 0 ? new Map<string, StoredMilestone>() : readStoredMilestones(view)
  const found: MilestonesOfPlan = { byId: new Map(), artifacts: new Map(), warnings: [] }
  for (const { id, name, description, line } of milestones) {
    const path = namesFor(id, planFile).find((path) => (known.get(path)?.plan_file ?? planFile) === planFile) as string
    const stored = known.get(path)
    const filed = { id: stored?.id ?? basename(path, '.json'), name, description }
    found.byId.set(id, { ...filed, state: stored === undefined ? 'new' : 'known' })
    if (stored === undefined) found.artifacts.set(path, `${canonical({ ...filed, plan_file: planFile })}\n`)
    else if (stored.name !== name)
      found.warnings.push({ line, why: `milestone ${stored.id} is '${stored.name}' in the ledger and keeps that name` })
  }
  return found
}

interface StoredMilestone {
  id: string
  name: string
  plan_file?: string
}

function readStoredMilestones({ ws, row }: LedgerView): Map<string, StoredMilestone> {
  const artifacts = artifactsOf(ws.state, row.lid, FOLDER)
  const blobs = readBlobs(
    ws.repo,
    artifacts.map(({ blob }) => blob),
  )
  return new Map(artifacts.map(({ path, blob }) => [path, parseStored(path, blobs.get(blob)?.toString() ?? '')]))
}

/** A milestone that somebody else wrote there counts too. */
function parseStored(path: string, text: string): StoredMilestone {
  const id = basename(path, '.json')
  try {
    const { name, plan_file } = JSON.parse(text) as StoredMilestone
    return { id, name: String(name), plan_file: String(plan_file ?? '') }
  } catch {
    return { id, name: id, plan_file: '' }
  }
}

function* namesFor(id: string, planFile: string): Generator<string> {
  const safe = id.replace(/[^\w.-]+/g, '-')
  yield `${FOLDER}${safe}.json`
  const plan = basename(planFile)
    .replace(/\.\w+$/, '')
    .replace(/^\d{4}-?\d\d-?\d\d-?/, '')
    .replace(/[^\w]+/g, '-')
    .slice(0, 30)
  yield `${FOLDER}${safe}-${plan}.json`
  for (let copy = 2; ; copy++) yield `${FOLDER}${safe}-${plan}-${copy}.json`
}
