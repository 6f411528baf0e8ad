import { useEffect, useRef } from 'preact/hooks'
import type { LiveRun } from '../../api/types.ts'
import { ConfirmButton } from '../../parts/confirm-button.tsx'
import { StatusBadge, TaskLink } from '../../parts/task-link.tsx'
import { Elapsed } from '../../parts/time.tsx'
import { visibleText } from '../../parts/visible-text.ts'
import { LogLines } from './log-lines.tsx'
import type { Kept } from './outputs.ts'

interface Props {
  repository: string
  run: LiveRun
  readOnly: boolean
  output: Kept
  isRunning: boolean
  isFollowing: boolean
  toggle(): void
}

/** One agent, with what it writes and does. */
export function RunPanel({ repository, run, readOnly, output, isRunning, isFollowing, toggle }: Props) {
  const log = useScrolledToEnd(output.lines, isFollowing)
  const name = isTask(run) ? `#${run.number}` : run.title
  return (
    <article class="panel" data-row aria-label={`Agent of ${name}`}>
      <header>
        <h2>{isTask(run) ? <TaskLink repository={repository} task={run} /> : visibleText(run.title)}</h2>
        <Facts run={run} isRunning={isRunning} />
        <div class="buttons">
          <button type="button" aria-pressed={!isFollowing} disabled={output.isOver} onClick={toggle}>
            {isFollowing ? 'Pause' : 'Follow'}
          </button>
          {!readOnly && isRunning && (
            <ConfirmButton
              {...{ repository, label: 'Stop', action: 'stop', input: { ref: run.id, run: run.run } }}
              effect="Ends this run now. What its agent has done is kept on its branch."
              command={`gza kill ${run.id}`}
            />
          )}
        </div>
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and must do so with the keyboard too */}
      <div class="log" ref={log} role="log" aria-live="off" tabIndex={0} aria-label={`What the agent of ${name} does`}>
        {output.hasGap && <p class="note">Earlier output is not shown here. gza logs has all of it.</p>}
        {output.lines.length === 0 && <p class="note">Nothing was printed yet.</p>}
        <LogLines lines={output.lines} first={output.first} />
        {output.isOver && <p class="note">The end of this run.</p>}
      </div>
    </article>
  )
}

/** A landing is a run without a task. */
function isTask({ id }: LiveRun): boolean {
  return id.startsWith('task-')
}

function Facts({ run, isRunning }: { run: LiveRun; isRunning: boolean }) {
  const { agent, phase, attempt, started_at, cost_usd, orphan, cancel } = run
  return (
    <p class="facts">
      <span>{agent}</span>
      {isRunning ? <span>{cancel === null ? phase : 'stopping'}</span> : <StatusBadge status="ended" />}
      <span>attempt {attempt}</span>
      {isRunning && <Elapsed since={started_at} />}
      <span>{cost_usd > 0 ? `$${cost_usd.toFixed(2)}` : 'cost unknown'}</span>
      {orphan !== null && <span class="status-failed">its gza has died</span>}
    </p>
  )
}

/** By which a person scrolls. */
const INPUTS = ['wheel', 'touchmove', 'keyup', 'pointerup'] as const

/** Shows the newest line, unless the person has scrolled away from the end or has paused. */
function useScrolledToEnd(lines: Kept['lines'], isFollowing: boolean) {
  const box = useRef<HTMLDivElement>(null)
  const isAtEnd = useRef(true)
  useEffect(() => {
    const element = box.current
    if (element === null) return
    const look = (): void => {
      isAtEnd.current = element.scrollHeight - element.scrollTop - element.clientHeight < 40
    }
    // Not at each scrolling: new lines scroll too, and more of them may have come before that is known.
    const lookSoon = (): void => void requestAnimationFrame(look)
    for (const name of INPUTS) element.addEventListener(name, lookSoon, { passive: true })
    return () => {
      for (const name of INPUTS) element.removeEventListener(name, lookSoon)
    }
  }, [])
  useEffect(() => {
    if (isFollowing && isAtEnd.current && box.current) box.current.scrollTop = box.current.scrollHeight
  }, [lines, isFollowing])
  return box
}
