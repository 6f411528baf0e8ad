import { useState } from 'preact/hooks'
import { type Read, useResource, whenRead } from '../../api/resource.ts'
import type { Started, TaskPage, Timeline } from '../../api/types.ts'
import { CopyButton } from '../../parts/copy-button.tsx'
import { useKeys } from '../../parts/keys.ts'
import { Link } from '../../parts/link.tsx'
import { Markdown } from '../../parts/markdown.tsx'
import { StartedList } from '../../parts/started-list.tsx'
import { Shown } from '../../parts/states.tsx'
import { StatusBadge } from '../../parts/task-link.tsx'
import { WithTimes } from '../../parts/time.tsx'
import { visibleLines, visibleText } from '../../parts/visible-text.ts'
import { pathTo } from '../../route.ts'
import { AnswerBox } from '../inbox/answer-box.tsx'
import { EditTask, hasEditDraft } from './edit-task.tsx'
import { Notes } from './notes.tsx'
import { TaskActions } from './task-actions.tsx'
import { TaskAside } from './task-aside.tsx'
import { NextPrompts, TaskTexts } from './task-texts.tsx'
import { TaskTimeline } from './timeline.tsx'
import { AuditTrail } from './trail.tsx'

interface Props {
  repository: string
  readOnly: boolean
  taskRef: string
}

export function TaskView({ repository, readOnly, taskRef }: Props) {
  const path = `tasks/${encodeURIComponent(taskRef)}`
  const read = useResource<TaskPage>(repository, path).value
  const timeline = useResource<Timeline>(repository, `${path}/timeline`).value
  const started = useResource<Started[]>(repository, 'started').value
  return (
    <Shown read={whenRead(read, timeline, started)}>
      {(page) => (
        <WholeTask key={page.task.uid} {...{ repository, readOnly, page, timeline }} started={started.value ?? []} />
      )}
    </Shown>
  )
}

interface WholeProps {
  repository: string
  readOnly: boolean
  page: TaskPage
}

interface ReadBefore {
  timeline: Read<Timeline>
  started: readonly Started[]
}

function WholeTask({ repository, readOnly, page, timeline, started }: WholeProps & ReadBefore) {
  const { task } = page
  const { number } = task
  const [isEditing, setEditing] = useState(() => !readOnly && hasEditDraft(repository, number))
  const edit = (): void => setEditing(true)
  useKeys('Task', readOnly ? [] : [{ keys: 'e', words: 'Edit the task', act: edit }])
  return (
    <article class="task">
      <Head {...{ repository, page }} />
      {!readOnly && !isEditing && <TaskActions {...{ repository, page, edit }} />}
      <div class="task-main">
        {isEditing && <EditTask {...{ repository, page }} done={() => setEditing(false)} />}
        {!isEditing && <Request page={page} />}
        {task.question !== null && <Question {...{ repository, page, readOnly }} />}
        <StartedList {...{ all: started, number }} />
        <TaskTimeline {...{ repository, number }} read={timeline} />
        <TaskTexts {...{ repository, task }} />
        <NextPrompts {...{ repository, task }} />
        <Notes {...{ repository, page, readOnly }} />
        <AuditTrail {...{ repository, number }} />
      </div>
      <TaskAside {...{ repository, page }} />
    </article>
  )
}

function Head({ repository, page: { task, why, commits } }: { repository: string; page: TaskPage }) {
  return (
    <header>
      <h1>
        <span class="number">#{task.number}</span> {visibleText(task.title)}
      </h1>
      <p class="facts">
        <StatusBadge status={task.status} />
        {task.on_hold && <span class="badge">on hold</span>}
        {task.archived && <span class="badge">archived</span>}
        <span class="why">
          <WithTimes text={why.detail} />
        </span>
      </p>
      <p class="facts tools">
        {(task.branch !== null || commits.length > 0) && (
          <Link to={pathTo(repository, 'diff', task.number)} class="tool">
            Diff
          </Link>
        )}
        <CopyButton text={location.href} label="Copy link" />
        <CopyButton text={`gza show ${task.number}`} label="Copy command" />
      </p>
    </header>
  )
}

/** What the task asks for. */
function Request({ page: { task } }: { page: TaskPage }) {
  const lists: [string, readonly string[]][] = [
    ['Acceptance criteria', task.acceptance_criteria],
    ['Files to create', task.files_to_create],
    ['Files to change', task.files_to_modify],
    ['Test files', task.test_files],
  ]
  return (
    <>
      {task.content !== task.title && (
        <section>
          <h2>Text</h2>
          <Markdown text={task.content} />
        </section>
      )}
      {task.user_story !== null && (
        <section>
          <h2>User story</h2>
          <Markdown text={task.user_story} />
        </section>
      )}
      {lists
        .filter(([, texts]) => texts.length > 0)
        .map(([title, texts]) => (
          <section key={title}>
            <h2>{title}</h2>
            <ul class={title === 'Acceptance criteria' ? 'criteria' : 'files'}>
              {texts.map((text, at) => (
                <li key={at}>{visibleLines(text)}</li>
              ))}
            </ul>
          </section>
        ))}
    </>
  )
}

function Question({ repository, page: { task, version }, readOnly }: WholeProps) {
  if (task.question === null) return null
  const expected = { ref: String(task.number), version }
  return (
    <section class="entry">
      <h2>{task.question.by} asks</h2>
      <Markdown text={task.question.text} />
      {!readOnly && <AnswerBox {...{ repository, number: task.number, expected }} />}
    </section>
  )
}
