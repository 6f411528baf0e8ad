import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { useResource } from '../../api/resource.ts'
import type { EntryDetail, InboxItem } from '../../api/types.ts'
import { CopyButton } from '../../parts/copy-button.tsx'
import { Problem } from '../../parts/states.tsx'
import { TaskLink } from '../../parts/task-link.tsx'
import { WithTimes } from '../../parts/time.tsx'
import { visibleLines, visibleText } from '../../parts/visible-text.ts'
import { route } from '../../route.ts'
import { AnswerBox } from './answer-box.tsx'
import { Changes } from './changes.tsx'
import { FurtherActions } from './further-actions.tsx'
import { Resolutions } from './resolutions.tsx'

interface Props {
  repository: string
  item: InboxItem
  readOnly: boolean
  /** Not before everything above it is complete, so that nothing moves what a person reads. */
  isShown: boolean
  /** Called when everything that it shows is there. */
  onRead(): void
}

export function InboxEntry({ repository, item, readOnly, isShown, onRead }: Props) {
  const { task, code, reason, detail, commands, subject } = item
  const read = useResource<EntryDetail>(repository, task === null ? null : `tasks/${task.number}/entry`).value
  const shown = read.value
  const isRead = task === null || shown !== null || read.error !== null
  useLayoutEffect(() => {
    if (isRead) onRead()
  }, [isRead])
  const entry = useWanted(task?.number, isShown)
  const expected = shown === null || task === null ? undefined : { ref: String(task.number), version: shown.version }
  if (!isShown) return null
  // Finished work is judged by its diff.
  const isLogOpen = code !== 'QUESTION' && shown?.landing_version === null
  // Each choice names its own command.
  const others = commands.filter((line) => shown?.choices.length === 0 || !/ resolve \d+ --fixed\|/.test(line))
  return (
    <li class="entry" data-row ref={entry}>
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
          <details class="last-lines" open={isLogOpen}>
            <summary>The last lines of its log</summary>
            <pre>{visibleLines(shown.log.join('\n'))}</pre>
          </details>
        )}
        {shown !== null && shown.diff !== null && shown.diff.files > 0 && task !== null && (
          <Changes {...{ repository, number: task.number, diff: shown.diff }} isFolded={code === 'QUESTION'} />
        )}
        {read.error !== null && <Problem error={read.error} />}
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
          {others.map((line) => (
            <li key={line}>
              <code>{line}</code> <CopyButton text={line} label="Copy" what={line} />
            </li>
          ))}
        </ul>
      </div>
    </li>
  )
}

/** A notification leads to its entry: the address names its task. */
function useWanted(number: number | undefined, isShown: boolean) {
  const entry = useRef<HTMLLIElement>(null)
  const isWanted = number !== undefined && route.value.view === 'inbox' && route.value.ref === String(number)
  useEffect(() => {
    if (!isWanted || !isShown) return
    entry.current?.scrollIntoView({ block: 'start' })
    entry.current?.querySelector<HTMLElement>('a, textarea, button')?.focus()
  }, [isWanted, isShown])
  return entry
}
