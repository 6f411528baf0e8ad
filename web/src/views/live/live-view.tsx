import { useRef, useState } from 'preact/hooks'
import { useResource } from '../../api/resource.ts'
import type { LiveRun } from '../../api/types.ts'
import { useKeys } from '../../parts/keys.ts'
import { Empty, Shown } from '../../parts/states.tsx'
import { NOTHING } from './outputs.ts'
import { RunPanel } from './run-panel.tsx'
import { useOutputs } from './use-outputs.ts'

interface Props {
  repository: string
  readOnly: boolean
}

/** All running agents side by side. Those that have ended stay until the person leaves. */
export function LiveView({ repository, readOnly }: Props) {
  const read = useResource<LiveRun[]>(repository, 'runs')
  return <Shown read={read.value}>{(runs) => <Panels key={repository} {...{ repository, readOnly, runs }} />}</Shown>
}

function Panels({ repository, readOnly, runs }: Props & { runs: readonly LiveRun[] }) {
  const all = useSeen(runs)
  const running = new Set(runs.map(({ run }) => run))
  const [paused, setPaused] = useState<ReadonlySet<string>>(new Set())
  const [filter, setFilter] = useState('')
  const names = all.map(({ run }) => run)
  const outputs = useOutputs(
    repository,
    names.filter((run) => !paused.has(run)),
  )
  const isPaused = names.length > 0 && names.every((run) => paused.has(run))
  const toggleAll = (): void => setPaused(new Set(isPaused ? [] : names))
  const toggle = (run: string): void => {
    const next = new Set(paused)
    if (!next.delete(run)) next.add(run)
    setPaused(next)
  }
  useKeys('Live', [{ keys: 'p', words: 'Pause or follow all agents', act: toggleAll }])
  const shown = all.filter((run) => matches(run, filter))
  return (
    <section>
      <div class="bar">
        <h1>Live</h1>
        <span class="note" role="status">
          {running.size === 1 ? '1 agent is running' : `${running.size} agents are running`}
        </span>
        <input
          type="search"
          placeholder="Filter by task or agent"
          aria-label="Filter by task or agent"
          value={filter}
          onInput={(event) => setFilter(event.currentTarget.value)}
        />
        <span class="buttons">
          <button type="button" disabled={names.length === 0} aria-pressed={isPaused} onClick={toggleAll}>
            {isPaused ? 'Follow all' : 'Pause all'}
          </button>
        </span>
      </div>
      {all.length === 0 ? (
        <NothingRuns />
      ) : (
        <div class={`panels ${shown.length > 4 ? 'many' : ''}`}>
          {shown.map((run) => (
            <RunPanel
              key={run.run}
              {...{ repository, run, readOnly }}
              output={outputs.get(run.run) ?? NOTHING}
              isRunning={running.has(run.run)}
              isFollowing={!paused.has(run.run)}
              toggle={() => toggle(run.run)}
            />
          ))}
        </div>
      )}
      {all.length > 0 && shown.length === 0 && <Empty title="No agent matches" />}
    </section>
  )
}

/** The runs that were seen since the view was opened, in the order in which they came: a panel keeps its place. */
function useSeen(runs: readonly LiveRun[]): LiveRun[] {
  const seen = useRef(new Map<string, LiveRun>())
  for (const run of runs) seen.current.set(run.run, run)
  return [...seen.current.values()]
}

function matches({ number, title, agent }: LiveRun, filter: string): boolean {
  const words = `#${number} ${title} ${agent}`.toLowerCase()
  return filter
    .toLowerCase()
    .split(/\s+/)
    .every((word) => words.includes(word))
}

function NothingRuns() {
  return (
    <Empty title="No agent is running">
      <p>
        Start work in a terminal: <code>gza work --all</code>
      </p>
    </Empty>
  )
}
