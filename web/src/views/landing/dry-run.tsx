import { useState } from 'preact/hooks'
import { get, Refused } from '../../api/request.ts'
import { unreachable } from '../../api/resource.ts'
import type { LandingPlan } from '../../api/types.ts'
import { Problem } from '../../parts/states.tsx'
import { TaskLink } from '../../parts/task-link.tsx'

interface Props {
  repository: string
  refs: readonly string[]
}

/** What would land, as `gza merge --dry-run` reports it. Nothing is verified and nothing changes. */
export function DryRun({ repository, refs }: Props) {
  const [plan, setPlan] = useState<LandingPlan | Refused | null>(null)
  const ask = async (): Promise<void> => {
    try {
      const path = `r/${repository}/landing/plan?refs=${refs.join(',')}`
      setPlan((await get<{ value: LandingPlan }>(path)).value)
    } catch (error) {
      setPlan(error instanceof Refused ? error : unreachable())
    }
  }
  return (
    <>
      <button type="button" class="quiet" onClick={ask}>
        Dry run
      </button>
      {plan instanceof Refused && <Problem error={plan} />}
      {plan !== null && !(plan instanceof Refused) && (
        <section class="confirm" aria-label="Dry run">
          <Planned {...{ repository, plan }} />
          <p class="why">
            The same in a terminal: <code>gza merge {refs.join(' ')} --dry-run</code>
          </p>
          <button type="button" class="quiet" onClick={() => setPlan(null)}>
            Close
          </button>
        </section>
      )}
    </>
  )
}

function Planned({
  repository,
  plan: { base, planned, refused, warnings },
}: {
  repository: string
  plan: LandingPlan
}) {
  return (
    <>
      <p>{planned.length === 0 ? 'Nothing would land.' : `Would land on ${base}, in this order:`}</p>
      <ol>
        {planned.map((task) => (
          <li key={task.id}>
            <TaskLink repository={repository} task={task} /> <span class="why">({task.method})</span>
          </li>
        ))}
      </ol>
      <ul>
        {refused.map(({ id, number, detail }) => (
          <li key={id} class="why">
            #{number} {detail}
          </li>
        ))}
        {warnings.map((warning) => (
          <li key={warning} class="why">
            {warning}
          </li>
        ))}
      </ul>
    </>
  )
}
