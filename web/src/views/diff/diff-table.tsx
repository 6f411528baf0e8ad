import type { ComponentChildren, VNode } from 'preact'
import { useMemo } from 'preact/hooks'
import { visibleText } from '../../parts/visible-text.ts'
import { type DiffRow, nameOfLine, pairedRows } from './diff-rows.ts'
import type { DiffLine } from './parse-diff.ts'

interface Props {
  lines: readonly DiffLine[]
  isSplit: boolean
  canComment: boolean
  /** What follows each line: comments, drafts and the form, by the index of the line. */
  below: ReadonlyMap<number, ComponentChildren>
}

/** The lines of a file. A person can write on those whose number is a button. */
export function DiffTable({ lines, isSplit, canComment, below }: Props) {
  // Rows stay the same objects while comments are written, so that long files are not drawn anew at each key.
  const rows = useMemo(
    () =>
      isSplit
        ? pairedRows(lines).map((row, at) => ({ lines: row, row: <SplitRow key={at} {...{ row, canComment }} /> }))
        : lines.map((line, at) => ({ lines: [line], row: <UnifiedRow key={at} {...{ line, canComment }} /> })),
    [lines, isSplit, canComment],
  )
  const places = useMemo(() => new Map(lines.map((line, at) => [line, at])), [lines])
  return (
    <table class={isSplit ? 'split' : 'unified'}>
      <tbody>{rows.flatMap(({ lines: shown, row }) => [row, ...rowsBelow(shown, places, below)])}</tbody>
    </table>
  )
}

function rowsBelow(
  shown: readonly (DiffLine | null)[],
  places: ReadonlyMap<DiffLine, number>,
  below: Props['below'],
): VNode[] {
  return [...new Set(shown)].flatMap((line) => {
    const at = line === null ? undefined : places.get(line)
    const content = at === undefined ? undefined : below.get(at)
    if (content === undefined) return []
    return [
      <tr key={`below ${at}`} class="below">
        <td colSpan={4}>
          <div class="below-lines">{content}</div>
        </td>
      </tr>,
    ]
  })
}

const SIGNS: Record<DiffLine['kind'], string> = { hunk: '', note: '', same: ' ', added: '+', removed: '-' }

function UnifiedRow({ line, canComment }: { line: DiffLine; canComment: boolean }) {
  const { kind, before, after } = line
  if (kind === 'hunk' || kind === 'note') return <PlainRow line={line} />
  return (
    <tr class={`line-${kind}`}>
      <td class="at">{kind === 'removed' ? <LineNumber {...{ line, canComment }} /> : before}</td>
      <td class="at">
        {kind !== 'removed' && <LineNumber {...{ line, canComment }} />}
        {kind === 'removed' && after}
      </td>
      <td class="text" colSpan={2}>
        <LineText line={line} sign={SIGNS[kind]} />
      </td>
    </tr>
  )
}

function SplitRow({ row: [left, right], canComment }: { row: DiffRow; canComment: boolean }) {
  if (left !== null && (left.kind === 'hunk' || left.kind === 'note')) return <PlainRow line={left} />
  return (
    <tr>
      <Half line={left} at={left?.before ?? null} canComment={canComment && left?.kind === 'removed'} />
      <Half line={right} at={right?.after ?? null} canComment={canComment} />
    </tr>
  )
}

function Half({ line, at, canComment }: { line: DiffLine | null; at: number | null; canComment: boolean }) {
  const kind = line === null ? 'none' : line.kind
  return (
    <>
      <td class={`at line-${kind}`}>{line !== null && canComment ? <LineNumber {...{ line, canComment }} /> : at}</td>
      <td class={`text half line-${kind}`}>{line !== null && <LineText line={line} sign="" />}</td>
    </>
  )
}

function PlainRow({ line: { kind, text } }: { line: DiffLine }) {
  return (
    <tr class={`line-${kind}`} {...(kind === 'hunk' && { tabIndex: -1, 'data-hunk': '' })}>
      <td colSpan={4}>
        <pre>{visibleText(text)}</pre>
      </td>
    </tr>
  )
}

/** Of a line that a comment can name, the number is a button. The keys of the table lead from one to the next. */
function LineNumber({ line, canComment }: { line: DiffLine; canComment: boolean }) {
  const name = nameOfLine(line)
  if (name === null || !canComment) return <>{name?.line}</>
  const what = line.kind === 'same' ? '' : `, ${line.kind}`
  return (
    <button
      type="button"
      class="line-number"
      tabIndex={-1}
      data-side={name.side}
      data-line={name.line}
      aria-label={`Comment on line ${name.line}${what}`}
    >
      {name.line}
    </button>
  )
}

/** Nobody reads further to the right. */
const LONGEST = 2000

function LineText({ line: { text, changed }, sign }: { line: DiffLine; sign: string }) {
  const shown = text.slice(0, LONGEST)
  const [start, end] = changed ?? [0, 0]
  const plain = (part: string) => visibleText(part)
  return (
    <pre>
      {sign}
      {end > start ? (
        <>
          {plain(shown.slice(0, start))}
          <mark>{plain(shown.slice(start, end))}</mark>
          {plain(shown.slice(end))}
        </>
      ) : (
        plain(shown)
      )}
      {text.length > LONGEST && <span class="note">{` … ${text.length - LONGEST} more characters`}</span>}
    </pre>
  )
}
