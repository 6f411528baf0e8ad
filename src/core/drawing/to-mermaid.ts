import { captionOf, cycleEdges, type Drawing, type DrawnTask, type EdgeKind, kindWords } from './drawing.ts'
import { STATUS_COLOURS } from './palette.ts'

/** A Mermaid flowchart. What must be done first is on the left. */
export function* toMermaid(drawing: Drawing): Iterable<string> {
  const names = new Map(drawing.tasks.map((task) => [task.id, nameOf(task)]))
  const inCycle = cycleEdges(drawing)
  yield 'flowchart LR'
  for (const task of drawing.tasks) yield `  ${nameOf(task)}["${escapeText(captionOf(task))}"]:::${task.status}`
  for (const edge of drawing.edges) {
    const { task, needs, kind } = edge
    const label = inCycle.has(`${task} ${needs}`) ? `${kindWords(edge)}, cycle` : kindWords(edge)
    yield `  ${names.get(needs)} ${ARROWS[kind]}|${label}| ${names.get(task)}`
  }
  for (const [status, { fill, line, text }] of Object.entries(STATUS_COLOURS))
    yield `  classDef ${status} fill:${fill},stroke:${line},color:${text}`
  const asked = names.get(drawing.asked ?? '')
  if (asked !== undefined) yield `  style ${asked} stroke-width:4px`
}

const ARROWS: Record<EdgeKind, string> = { explicit: '-->', file: '-.->', split: '==>', child: '--o' }

function nameOf({ id, number }: DrawnTask): string {
  return number === 0 ? `u${id.slice('task-'.length)}` : `t${number}`
}

/** Mermaid reads HTML, markdown and its own `#…;` entities even within quotes: only letters and digits are safe. */
function escapeText(text: string): string {
  return text.replace(/[^\p{L}\p{N}\p{M} .,:/()+\-=]/gu, (character) => `#${character.codePointAt(0)};`)
}
