import type { Landing } from '../../api/types.ts'
import { TaskLink } from '../../parts/task-link.tsx'
import { Elapsed } from '../../parts/time.tsx'

interface Props {
  repository: string
  landing: Landing
}

/** What happens at this moment, and what keeps everything from landing. */
export function LandingNow({ repository, landing }: Props) {
  const { base, check, isLanding, red } = landing
  return (
    <div class="landing-now" role="status">
      {check !== null && <Check {...{ repository, base, check }} />}
      {check === null && isLanding && <p class="now">Landing on {base}.</p>}
      {red !== null && (
        <div class="problem">
          <strong>{base} fails its own checks, so nothing lands</strong>
          <p>{red.why}</p>
          {red.run !== '' && (
            <p>
              To see it: <code>{red.run}</code>
            </p>
          )}
        </div>
      )}
    </div>
  )
}

function Check({
  repository,
  base,
  check,
}: {
  repository: string
  base: string
  check: NonNullable<Landing['check']>
}) {
  const { verifying, suspects, since } = check
  const isBisecting = suspects.length > 0
  return (
    <div class="now">
      <p>
        <strong>{isBisecting ? 'Bisecting' : 'Verifying'}</strong> <Elapsed since={since} />
      </p>
      {isBisecting && (
        <p>
          The batch failed. The cause is {suspects.length === 1 ? '' : 'one of '}
          <Names {...{ repository, tasks: suspects }} />.
        </p>
      )}
      <p>
        Its checks run on {base}
        {verifying.length === 0 ? ' itself' : ' with '}
        <Names {...{ repository, tasks: verifying }} />.
      </p>
    </div>
  )
}

function Names({ repository, tasks }: { repository: string; tasks: readonly { number: number; title: string }[] }) {
  return (
    <>
      {tasks.map((task, at) => (
        <span key={task.number}>
          {at > 0 && ', '}
          <TaskLink repository={repository} task={task} />
        </span>
      ))}
    </>
  )
}
