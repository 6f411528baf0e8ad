import { useResource } from '../../api/resource.ts'
import type { NextPrompt, Task, TaskText } from '../../api/types.ts'
import { CopyButton } from '../../parts/copy-button.tsx'
import { Folded } from '../../parts/folded.tsx'
import { Markdown } from '../../parts/markdown.tsx'
import { Shown } from '../../parts/states.tsx'
import { visibleLines } from '../../parts/visible-text.ts'

interface Props {
  repository: string
  task: Task
}

/** Plans, explorations, reviews and attachments of a task. */
export function TaskTexts({ repository, task }: Props) {
  if (task.texts.length === 0) return null
  return (
    <section>
      <h2>Texts</h2>
      {task.texts.map(({ name }) => (
        <Folded key={name} title={titleOf(task, name)}>
          <TextOf repository={repository} path={`tasks/${task.number}/texts/${encodeURIComponent(name)}`} />
        </Folded>
      ))}
    </section>
  )
}

/** A review is named with its verdict. */
function titleOf({ phases }: Task, name: string): string {
  const review = phases.find(({ artifact }) => typeof artifact === 'string' && artifact.endsWith(`/${name}`))
  if (!review?.verdict) return name
  return `Review ${review.cycle}, ${review.verdict.replaceAll('_', ' ').toLowerCase()}: ${name}`
}

function TextOf({ repository, path }: { repository: string; path: string }) {
  const read = useResource<TaskText>(repository, path)
  return <Shown read={read.value}>{({ text }) => <Markdown text={text} />}</Shown>
}

const NEXT = [
  ['work', 'The prompt that an agent would get now'],
  ['review', 'The prompt that a reviewer would get now'],
  ['improve', 'The prompt that an improving agent would get now'],
] as const

/** Exactly what agents would get next. */
export function NextPrompts({ repository, task }: Props) {
  const hasWork = task.branch !== null
  const hasReview = task.phases.some(({ phase }) => phase === 'review')
  const shown = NEXT.filter(([phase]) => phase === 'work' || (hasWork && (phase === 'review' || hasReview)))
  return (
    <section>
      <h2>Next prompt</h2>
      {shown.map(([phase, title]) => (
        <Folded key={phase} title={title}>
          <PromptOf repository={repository} path={`tasks/${task.number}/prompt?phase=${phase}`} />
        </Folded>
      ))}
    </section>
  )
}

function PromptOf({ repository, path }: { repository: string; path: string }) {
  const read = useResource<NextPrompt>(repository, path)
  return (
    <Shown read={read.value}>
      {({ prompt, agent, estimated_tokens }) => (
        <>
          <p class="facts">
            <span>for {agent}</span>
            <span>about {estimated_tokens.toLocaleString('en-US')} tokens</span>
            <CopyButton text={prompt} label="Copy" />
          </p>
          <pre class="content">{visibleLines(prompt)}</pre>
        </>
      )}
    </Shown>
  )
}
