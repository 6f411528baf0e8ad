import { useMemo } from 'preact/hooks'
import type { AgentEvent, OutputLine } from '../../api/types.ts'
import { Output } from '../../parts/output.tsx'

/** What agents write as text, what they do folded, and everything else as it was printed. `first`: the number of the first line. */
export function LogLines({ lines, first }: { lines: readonly OutputLine[]; first: number }) {
  return (
    <>
      {lines.map((line, index) => (
        <Line key={first + index} line={line} />
      ))}
    </>
  )
}

/** A line never changes: thousands of them are not drawn again when one comes. */
function Line({ line }: { line: OutputLine }) {
  return useMemo(() => <Printed {...line} />, [line])
}

function Printed({ events, line, stream }: OutputLine) {
  return (
    <div class="printed">
      {events.map((event, at) => (
        <Event key={at} event={event} />
      ))}
      {line !== null && line !== '' && <Output text={line} class={`stream-${stream}`} />}
    </div>
  )
}

function Event({ event }: { event: AgentEvent }) {
  switch (event.kind) {
    case 'text':
      return <Output text={event.text} class="said" />
    case 'tool':
    case 'denied':
      return (
        <details class={event.kind}>
          <summary>
            {event.kind === 'denied' && <span class="status-failed">denied </span>}
            <Output text={event.name} inline /> <Output text={event.detail.slice(0, 120)} class="note" inline />
          </summary>
          <Output text={event.detail} />
        </details>
      )
    case 'result':
      return <Output text={event.text} class={event.ok ? 'said' : 'status-failed'} />
    case 'limit':
    case 'error':
      return <Output text={event.message} class="status-failed" />
    default:
      return null
  }
}
