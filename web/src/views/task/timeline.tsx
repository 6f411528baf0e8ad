import { type Read, useResource } from '../../api/resource.ts'
import type { PastPrompt, Timeline, TimelinePhase, TimelineRun } from '../../api/types.ts'
import { Folded } from '../../parts/folded.tsx'
import { Shown } from '../../parts/states.tsx'
import { Ago, lengthOf, present } from '../../parts/time.tsx'
import { visibleLines } from '../../parts/visible-text.ts'

interface Props {
  repository: string
  number: number
}

/** Every attempt with its phases: when, how long, for how much, what the agent was given, and what the checks printed. */
export function TaskTimeline({ repository, number, read }: Props & { read: Read<Timeline> }) {
  return (
    <section>
      <h2>Runs</h2>
      <Shown
        read={read}
        empty={(runs) => (runs.length === 0 ? <p class="note">No agent has worked on it yet.</p> : null)}
      >
        {(runs) => (
          <ol class="timeline">
            {runs.map((run) => (
              <RunEntry key={run.run} {...{ repository, number, run }} />
            ))}
          </ol>
        )}
      </Shown>
    </section>
  )
}

function RunEntry({ repository, number, run }: Props & { run: TimelineRun }) {
  const { attempt, agent, machine, started_at, ended_at, outcome, reason, detail, phases } = run
  return (
    <li class={`run outcome-${outcome}`}>
      <h3>
        Attempt {attempt} <span class="outcome">{[outcome, reason].filter(Boolean).join(': ')}</span>
      </h3>
      <p class="facts">
        <span>{agent ?? 'unknown agent'}</span>
        <span>{lengthBetween(started_at, ended_at)}</span>
        <Spent spent={run} />
        {machine !== null && <span>on {machine}</span>}
        <Ago at={started_at} />
      </p>
      {detail !== null && <pre class="detail">{visibleLines(detail)}</pre>}
      <PhaseBar run={run} />
      {phases.length > 0 && (
        <ol class="phases" aria-label={`Phases of attempt ${attempt}`}>
          {phases.map((phase, at) => (
            <PhaseEntry key={at} {...{ repository, number, phase, known: detail }} />
          ))}
        </ol>
      )}
    </li>
  )
}

/** `known`: what is said of the whole run already. */
function PhaseEntry({ repository, number, phase, known }: Props & { phase: TimelinePhase; known: string | null }) {
  const { agent, model, started_at, ended_at, failure, prompt, check, verdict, summary } = phase
  return (
    <li class={`phase phase-${kindOf(phase)}`}>
      <p class="facts">
        <strong>{phase.phase}</strong>
        {agent !== null && <span>{[agent, model].filter(Boolean).join(', ')}</span>}
        <span>{started_at === null ? 'duration unknown' : lengthBetween(started_at, ended_at)}</span>
        {check === null ? <Spent spent={phase} /> : <span>{check.ok ? 'checks passed' : 'checks failed'}</span>}
        {verdict !== null && <span class={`verdict-${verdict}`}>{verdict.replaceAll('_', ' ').toLowerCase()}</span>}
      </p>
      {summary !== null && <p class="why">{visibleLines(summary)}</p>}
      {failure !== null && !(known !== null && failure.includes(known)) && (
        <pre class="detail">{visibleLines(failure)}</pre>
      )}
      {check?.steps.map((step) => (
        <CheckStep key={step.name} step={step} />
      ))}
      {prompt !== null && (
        <Folded title={`The prompt that ${agent} was given`}>
          <PromptText {...{ repository, path: `tasks/${number}/prompts/${encodeURIComponent(prompt)}` }} />
        </Folded>
      )}
    </li>
  )
}

/** "review 2" is a review. */
function kindOf({ phase }: Pick<TimelinePhase, 'phase'>): string {
  return phase.split(' ')[0] ?? ''
}

type Step = NonNullable<TimelinePhase['check']>['steps'][number]

function CheckStep({ step: { name, ok, ms, output } }: { step: Step }) {
  if (output === '') return null
  return (
    <Folded title={`Check output: ${name}, ${ok ? 'passed' : 'failed'}, ${lengthOf(ms)}`}>
      <pre class="content">{visibleLines(output)}</pre>
    </Folded>
  )
}

function PromptText({ repository, path }: { repository: string; path: string }) {
  const read = useResource<PastPrompt>(repository, path)
  return <Shown read={read.value}>{({ prompt }) => <pre class="content">{visibleLines(prompt)}</pre>}</Shown>
}

function Spent({ spent }: { spent: Pick<TimelinePhase, 'tokens_in' | 'tokens_out' | 'cost_usd'> }) {
  const { tokens_in, tokens_out, cost_usd } = spent
  const isTold = tokens_in !== null || tokens_out !== null
  return (
    <>
      <span>{isTold ? `${count(tokens_in)} tokens in, ${count(tokens_out)} out` : 'tokens unknown'}</span>
      <span>{cost_usd === null ? 'cost unknown' : `$${cost_usd.toFixed(2)}`}</span>
    </>
  )
}

function count(value: number | null): string {
  return value === null ? 'unknown' : value.toLocaleString('en-US')
}

function lengthBetween(from: string, to: string | null): string {
  return lengthOf((to === null ? present.value : Date.parse(to)) - Date.parse(from))
}

/** How the time of a run was divided. The list below it has the same in words. */
function PhaseBar({ run }: { run: TimelineRun }) {
  const parts = run.phases.flatMap(({ phase, started_at, ended_at }) =>
    started_at === null
      ? []
      : [{ phase, from: Date.parse(started_at), to: ended_at === null ? null : Date.parse(ended_at) }],
  )
  const first = Math.min(...parts.map(({ from }) => from))
  const last = Math.max(...parts.map(({ to }) => to ?? present.value))
  if (parts.length < 2 || last <= first) return null
  const at = (time: number): number => ((time - first) / (last - first)) * 1000
  return (
    <svg class="phase-bar" viewBox="0 0 1000 6" preserveAspectRatio="none" aria-hidden="true">
      {parts.map(({ phase, from, to }, index) => (
        <rect
          key={index}
          class={`part part-${kindOf({ phase })}`}
          x={at(from)}
          width={Math.max(4, at(to ?? present.value) - at(from))}
          height={6}
        />
      ))}
    </svg>
  )
}
