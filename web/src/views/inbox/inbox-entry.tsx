import { useEffect, useRef } from 'preact/hooks'
import { useResource } from '../../api/resource.ts'
import type { EntryDetail, InboxItem } from '../../api/types.ts'
import { CopyButton } from '../../parts/copy-button.tsx'
import { Link } from '../../parts/link.tsx'
import { TaskLink } from '../../parts/task-link.tsx'
import { WithTimes } from '../../parts/time.tsx'
import { visibleLines, visibleText } from '../../parts/visible-text.ts'
import { pathTo, route } from '../../route.ts'
import { AnswerBox } from './answer-box.tsx'
import { FurtherActions } from './further-actions.tsx'
import { Resolutions } from './resolutions.tsx'

interface Props {
  repository: string
  item: InboxItem
  readOnly: boolean
}

export function InboxEntry({ repository, item, readOnly }: Props) {
  const { task, code, reason, detail, commands, subject } = item
  const shown = useResource<EntryDetail>(repository, task === null ? null : `tasks/${task.number}/entry`).value.value
  const expected = shown === null || task === null ? undefined : { ref: String(task.number), version: shown.version }
  return (
    <li class="entry" data-row aria-busy={task !== null && shown === null} ref={useWanted(task?.number)}>
      <h2>
        {task === null ? visibleText(subject ?? '') : <TaskLink repository={repository} task={task} />}
        <span class="code">{code.replaceAll('_', ' ').toLowerCase()}</span>
      </h2>
      <div class="said">
        <p class="reason">{reason}</p>
        {detail !== '' && (
          <pre class={code === 'QUESTION' ? 'detail asked' : 'detail'}>
            {task === null ? <WithTimes text={visibleLines(detail)} /> : visibleLines(detail)}
          </pre>
        )}
        {shown !== null && shown.log.length > 0 && (
          <details class="last-lines" open={code !== 'QUESTION'}>
            <summary>The last lines of its log</summary>
            <pre>{visibleLines(shown.log.join('\n'))}</pre>
          </details>
        )}
        {shown !== null && shown.diff !== null && shown.diff.files > 0 && task !== null && (
          <p class="facts">
            <Link to={pathTo(repository, 'diff', task.number)} class="jump">
              {shown.diff.files === 1 ? 'What it changes: 1 file' : `What it changes: ${shown.diff.files} files`}
            </Link>
            <span class="status-completed">+{shown.diff.added}</span>
            <span class="status-failed">−{shown.diff.removed}</span>
          </p>
        )}
      </div>
      <div class="decide">
        {!readOnly && task !== null && code === 'QUESTION' && (
          <AnswerBox repository={repository} number={task.number} expected={expected} />
        )}
        {!readOnly && (
          <div class="decisions">
            {(task === null || (shown !== null && expected !== undefined)) && (
              <FurtherActions
                {...{ repository, item, expected: expected ?? null }}
                landingVersion={shown?.landing_version ?? null}
              />
            )}
            {task !== null && expected && shown !== null && shown.choices.length > 0 && (
              <Resolutions {...{ repository, number: task.number, choices: shown.choices, expected }} />
            )}
          </div>
        )}
        <ul class="commands" aria-label="The same in a terminal">
          {commands.map((line) => (
            <li key={line}>
              <code>{line}</code> <CopyButton text={line} label="Copy" />
            </li>
          ))}
        </ul>
      </div>
    </li>
  )
}

/** A notification leads to its entry: the address names its task. */
function useWanted(number: number | undefined) {
  const entry = useRef<HTMLLIElement>(null)
  const isWanted = number !== undefined && route.value.view === 'inbox' && route.value.ref === String(number)
  useEffect(() => {
    if (!isWanted) return
    entry.current?.scrollIntoView({ block: 'start' })
    entry.current?.querySelector<HTMLElement>('a, textarea, button')?.focus()
  }, [isWanted])
  return entry
}
