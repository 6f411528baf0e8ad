import { useMemo } from 'preact/hooks'
import type { Graph, GraphNode } from '../../api/types.ts'
import { visibleText } from '../../parts/visible-text.ts'
import { go, pathTo } from '../../route.ts'
import { BOX, pathOf, placeOf, sizeOf } from './geometry.ts'
import { signOf } from './statuses.tsx'

/** Below it titles cannot be read, so boxes show their numbers in large digits. */
const FAR = 0.55

interface Props {
  repository: string
  graph: Graph
  scale: number
  /** The ids of tasks that were searched for. */
  found: ReadonlySet<string>
  /** The id of the task that keys move from; it alone is reached with Tab. */
  current: string | null
}

export function Picture({ repository, graph, scale, found, current }: Props) {
  const { width, height } = sizeOf(graph)
  const isFar = scale < FAR
  // In a small picture the letters of titles are larger, and fewer.
  const letters = Math.round(Math.min(20, Math.max(13, 11 / scale)))
  const marked = useMemo(() => marksOf(graph), [graph])
  const edges = useMemo(
    () =>
      // Those on the critical path are drawn last, above the others.
      graph.edges
        .toSorted((a, b) => Number(marked.isCritical(a)) - Number(marked.isCritical(b)))
        .map((edge) => (
          <path key={`${edge.task} ${edge.needs}`} class={`edge ${marked.classOf(edge)}`} d={pathOf(edge.points)} />
        )),
    [graph, marked],
  )
  return (
    <svg
      width={Math.ceil(width * scale)}
      height={Math.ceil(height * scale)}
      viewBox={`0 0 ${width} ${height}`}
      role="presentation"
      class={isFar ? 'far' : undefined}
    >
      <g>{edges}</g>
      {graph.nodes.map((node) => (
        <Box
          key={node.id}
          {...{ repository, node, isFar, letters, isFound: found.has(node.id), isCurrent: node.id === current }}
          isCritical={marked.critical.has(node.id)}
        />
      ))}
    </svg>
  )
}

function marksOf({ critical, cycles }: Graph) {
  const steps = new Set(critical.slice(1).map((id, at) => `${id} ${critical[at]}`))
  const cyclic = new Set(cycles.flatMap((cycle) => cycle.map((id, at) => `${id} ${cycle[(at + 1) % cycle.length]}`)))
  const isCritical = ({ task, needs }: Graph['edges'][number]) => steps.has(`${task} ${needs}`)
  return {
    critical: new Set(critical),
    isCritical,
    classOf: (edge: Graph['edges'][number]) =>
      cyclic.has(`${edge.task} ${edge.needs}`) ? 'cyclic' : isCritical(edge) ? 'critical' : `kind-${edge.kind}`,
  }
}

interface BoxProps {
  repository: string
  node: GraphNode
  isFar: boolean
  /** The size of the letters of its title. */
  letters: number
  isFound: boolean
  isCurrent: boolean
  isCritical: boolean
}

function Box({ repository, node, isFar, letters, isFound, isCurrent, isCritical }: BoxProps) {
  const { number, id, title, status } = node
  const path = pathTo(repository, 'task', number === 0 ? id : number)
  const { left, top } = placeOf(node)
  const name = number === 0 ? id : `#${number}`
  const marks = [isFound && 'found', isCurrent && 'current', isCritical && 'on-path'].filter(Boolean).join(' ')
  const words = `${name} ${visibleText(title)}, ${status.replaceAll('_', ' ')}${isCritical ? ', on the critical path' : ''}`
  const follow = (event: MouseEvent): void => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return
    event.preventDefault()
    go(path)
  }
  return (
    <a
      href={path}
      onClick={follow}
      class={`node status-${status} ${marks}`}
      data-node={id}
      tabIndex={isCurrent ? 0 : -1}
    >
      <title>{words}</title>
      <rect x={left} y={top} width={BOX.width} height={BOX.height} rx={6} />
      {isFar ? (
        <text x={left + BOX.width / 2} y={top + 31} class="large">
          {`${signOf(status)} ${name}`}
        </text>
      ) : (
        <>
          <text x={left + 10} y={top + BASE} font-size={letters} class="sign">
            {signOf(status)}
          </text>
          <text x={left + 15 + letters} y={top + BASE} font-size={letters}>
            {fitting(`${name} ${visibleText(title)}`, letters)}
          </text>
        </>
      )}
    </a>
  )
}

/** On which line of a box letters stand. */
const BASE = 26

/** What was measured before: the picture is drawn again at each step of the zoom. */
const measured = new Map<string, string>()
let pen: CanvasRenderingContext2D | null = null

/** As much of a text as a box has room for. The letters of each machine have a width of their own. */
function fitting(text: string, size: number): string {
  const known = measured.get(`${size} ${text}`)
  if (known !== undefined) return known
  const room = BOX.width - 15 - size - 8
  const letters = [...text]
  const shortened = (count: number) => (count === letters.length ? text : `${letters.slice(0, count).join('')}…`)
  let [fits, tooMany] = [0, letters.length + 1]
  while (tooMany - fits > 1) {
    const middle = Math.floor((fits + tooMany) / 2)
    if (widthOf(shortened(middle), size) <= room) fits = middle
    else tooMany = middle
  }
  measured.set(`${size} ${text}`, shortened(fits))
  return shortened(fits)
}

function widthOf(text: string, size: number): number {
  if (pen === null) {
    pen = document.createElement('canvas').getContext('2d')
    if (pen !== null) pen.font = `100px ${getComputedStyle(document.body).fontFamily}`
  }
  return ((pen?.measureText(text).width ?? 0) * size) / 100
}
