import type { ComponentChildren } from 'preact'
import type { Started } from '../api/types.ts'
import { Ago } from './time.tsx'
import { visibleLines } from './visible-text.ts'

interface Props {
  all: readonly Started[]
  /** Only what concerns this task. */
  number?: number
  /** Only this one. */
  id?: string
}

/** Commands that were started in the page: they are processes of their own, and their end is shown with what they printed. */
export function StartedList({ all, number, id }: Props) {
  const shown = all.filter((each) => isWanted(each, number, id)).slice(0, 3)
  if (shown.length === 0) return null
  return (
    <section class="started" aria-label="Started here">
      {id === undefined && <h2>Started here</h2>}
      <ul>
        {shown.map((command) => (
          <StartedCommand key={command.id} command={command} />
        ))}
      </ul>
    </section>
  )
}

function isWanted(each: Started, number: number | undefined, only: string | undefined): boolean {
  if (only !== undefined) return each.id === only
  return number === undefined || isAbout(each, String(number))
}

/** It was started for this task. */
export function isAbout({ args }: Started, ref: string): boolean {
  return args.slice(args.indexOf('--') + 1).includes(ref)
}

export function StartedCommand({ command, children }: { command: Started; children?: ComponentChildren }) {
  const { args, pid, started_at, isRunning, code, output, lines } = command
  const isFailed = !isRunning && code !== null && code !== 0
  return (
    <li class={isFailed ? 'failed' : ''}>
      <div role={isFailed ? 'alert' : undefined}>
        <p>
          <code>{commandOf(args)}</code> <strong>{stateWords(command)}</strong> {children}
        </p>
        <p class="facts">
          <span>
            started <Ago at={started_at} />
          </span>
          <span>pid {pid}</span>
          <span>
            output in <code>{output}</code>
          </span>
        </p>
        {lines.length > 0 && (
          <details open={isFailed}>
            <summary>What it printed last</summary>
            <pre class="content">{visibleLines(lines.join('\n'))}</pre>
          </details>
        )}
      </div>
    </li>
  )
}

function stateWords({ isRunning, code }: Started): string {
  if (isRunning) return 'is running'
  if (code === null) return 'has ended'
  return code === 0 ? 'has ended well' : `failed (exit code ${code})`
}

function commandOf(args: readonly string[]): string {
  return ['gza', ...args.filter((word) => word !== '--')].join(' ')
}
