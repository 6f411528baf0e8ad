import { captionOf, cycleEdges, type Drawing, type EdgeKind, kindWords } from './drawing.ts'
import { CYCLE_COLOUR, STATUS_COLOURS } from './palette.ts'

/** A graph for Graphviz. What must be done first is on the left. */
export function* toDot(drawing: Drawing): Iterable<string> {
  const inCycle = cycleEdges(drawing)
  yield 'digraph tasks {'
  yield '  rankdir=LR'
  yield '  node [shape=box, style="rounded,filled", fontname="sans-serif", fontsize=11]'
  yield '  edge [fontname="sans-serif", fontsize=9]'
  for (const task of drawing.tasks) {
    const { fill, line, text } = STATUS_COLOURS[task.status]
    const look = `fillcolor="${fill}", color="${line}", fontcolor="${text}"`
    yield `  ${quote(task.id)} [label=${quote(captionOf(task))}, ${look}${task.id === drawing.asked ? ', penwidth=3' : ''}]`
  }
  for (const edge of drawing.edges) {
    const { task, needs, kind } = edge
    const red = inCycle.has(`${task} ${needs}`) ? `, color="${CYCLE_COLOUR}"` : ''
    yield `  ${quote(needs)} -> ${quote(task)} [label="${kindWords(edge)}", style=${STYLES[kind]}${red}]`
  }
  yield '}'
}

const STYLES: Record<EdgeKind, string> = { explicit: 'solid', file: 'dashed', split: 'bold', child: 'dotted' }

/** Backslashes are escaped too: `\N` in a label would become the name of the node. */
function quote(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`
}
