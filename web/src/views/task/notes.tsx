import type { TaskPage } from '../../api/types.ts'
import { Markdown } from '../../parts/markdown.tsx'
import { Ago } from '../../parts/time.tsx'
import { NoteBox } from './note-box.tsx'

interface Props {
  repository: string
  page: TaskPage
  readOnly: boolean
}

export function Notes({ repository, page, readOnly }: Props) {
  const { task, version, notes } = page
  return (
    <section>
      <h2>Notes</h2>
      {notes.length === 0 && <p class="note">There are none yet.</p>}
      <ul class="notes">
        {notes.map(({ at, by, text }, index) => (
          <li key={index}>
            <p class="facts">
              <strong>{by}</strong> <Ago at={at} />
            </p>
            <Markdown text={text} />
          </li>
        ))}
      </ul>
      {!readOnly && (
        <NoteBox repository={repository} number={task.number} expected={{ ref: String(task.number), version }} />
      )}
    </section>
  )
}
