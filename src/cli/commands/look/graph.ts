import type { Drawing } from '../../../core/drawing/drawing.ts'
import { toDot } from '../../../core/drawing/to-dot.ts'
import { toMermaid } from '../../../core/drawing/to-mermaid.ts'
import { toSvg } from '../../../core/drawing/to-svg.ts'
import { UserError } from '../../../core/user-error.ts'
import { type GraphView, readGraph } from '../../../workspace/views/read-graph.ts'
import type { CallContext, GlobalFlags } from '../../call-context.ts'
import { inWorkspace } from '../../in-workspace.ts'
import { renderGraph } from '../../render/look/graph.ts'
import { emptyList } from '../../render/look/list.ts'
import type { Display } from '../../terminal/display.ts'
import { printResult } from '../../terminal/print.ts'

const PICTURES = { mermaid: toMermaid, dot: toDot, svg: toSvg }
type Picture = keyof typeof PICTURES

type Flags = GlobalFlags & { all: boolean } & Record<Picture, boolean>

export default async function graph(this: CallContext, flags: Flags, ref?: string): Promise<void> {
  const draw = drawerFor(flags)
  const { drawing, ledger } = await inWorkspace(this, flags, (ws) => ({
    drawing: readGraph(ws, { ref, all: flags.all }),
    ledger: ws.ledger,
  }))
  printResult(this, flags, graphFields(drawing), draw(drawing, this.display))
  if (drawing.tasks.length === 0 && !flags.json) this.err.write(`${emptyList(ledger, this.display)}\n`)
}

/** Only tasks are called `task`, and `kind` is how a task names another one. */
function graphFields({ tasks, edges, cycles, asked }: GraphView) {
  const edgeFields = ({ task, needs, relation, kind, kinds }: GraphView['edges'][number]) => ({
    id: task,
    needs_id: needs,
    kind: relation,
    origin: kind,
    origins: kinds,
  })
  return { tasks, edges: edges.map(edgeFields), cycles, around_id: asked }
}

function drawerFor(flags: Flags): (drawing: Drawing, display: Display) => Iterable<string> {
  const asked = (['mermaid', 'dot', 'svg', 'json'] as const).filter((form) => flags[form])
  const [first, second] = asked
  if (second !== undefined)
    throw new UserError('USAGE', `--${first} and --${second} cannot be combined`, {
      hint: 'Choose one format.',
      exitCode: 2,
    })
  return first === undefined || first === 'json' ? renderGraph : PICTURES[first]
}
