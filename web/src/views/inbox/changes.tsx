import type { ComponentChildren } from 'preact'
import { useMemo } from 'preact/hooks'
import type { EntryDetail } from '../../api/types.ts'
import { Link } from '../../parts/link.tsx'
import { visibleText } from '../../parts/visible-text.ts'
import { pathTo } from '../../route.ts'
import { DiffTable } from '../diff/diff-table.tsx'
import { FileFacts } from '../diff/file-facts.tsx'
import { parseDiff } from '../diff/parse-diff.ts'

type FirstChanges = NonNullable<EntryDetail['diff']>
type FirstFile = FirstChanges['first'][number]

interface Props {
  repository: string
  number: number
  diff: FirstChanges
  /** A question is answered first, so all files of its work are folded. */
  isFolded: boolean
}

/** So many lines are open at first. */
const MOST_OPEN = 30

/** The beginning of a task's diff, and the way to all of it. */
export function Changes({ repository, number, diff, isFolded }: Props) {
  const { files, added, removed, first } = diff
  const open = isFolded ? [] : openAtFirst(first)
  const left = files - first.length
  const whole = pathTo(repository, 'diff', number)
  return (
    <section class="changes" aria-label={`What #${number} changes`}>
      <p class="facts">
        <strong>{files === 1 ? 'It changes 1 file' : `It changes ${files} files`}</strong>
        <span class="status-completed">+{added}</span>
        <span class="status-failed">−{removed}</span>
        <Link to={whole} class="jump">
          {diff.landed ? 'Look at the diff' : 'Look at the diff and review it'}
        </Link>
      </p>
      {first.map((file) => (
        <details key={file.path} class="file" open={open.includes(file)}>
          <summary class="file-head">
            <FileFacts file={file} />
          </summary>
          <Lines {...{ number, file }} />
        </details>
      ))}
      {left > 0 && (
        <p class="facts">
          <Link to={whole} class="jump">
            {left === 1 ? 'and 1 more file' : `and ${left} more files`}
          </Link>
        </p>
      )}
    </section>
  )
}

/** The first file, and those after it that are short enough to be seen with it. */
function openAtFirst(first: readonly FirstFile[]): readonly FirstFile[] {
  let lines = 0
  return first.filter(({ text }, at) => {
    lines += text?.split('\n').length ?? 0
    return text !== null && (at === 0 || lines <= MOST_OPEN)
  })
}

function Lines({ number, file: { path, text, isCut } }: { number: number; file: FirstFile }) {
  const lines = useMemo(() => (text === null ? [] : parseDiff(text)), [text])
  if (lines.length === 0)
    return <p class="folded note">{text === null ? 'Its lines are in the diff.' : 'It has no lines.'}</p>
  return (
    <>
      <section
        class="lines"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and must do so with the keyboard too
        tabIndex={0}
        aria-label={`#${number}, ${visibleText(path)}`}
      >
        <DiffTable lines={lines} isSplit={false} canComment={false} below={NOTHING} />
      </section>
      {isCut && <p class="folded note">These are its first lines. The others are in the diff.</p>}
    </>
  )
}

const NOTHING: ReadonlyMap<number, ComponentChildren> = new Map()
