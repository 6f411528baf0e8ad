import { useEffect, useRef, useState } from 'preact/hooks'
import type { Graph, GraphNode } from '../../api/types.ts'
import { useKeys } from '../../parts/keys.ts'
import { BOX, type Direction, neighbour, placeOf, sizeOf } from './geometry.ts'
import { Picture } from './picture.tsx'
import { Legend } from './statuses.tsx'
import { useZoom } from './use-zoom.ts'

interface Props {
  repository: string
  graph: Graph
  found: readonly string[]
  /** The found task that is shown. */
  jump: string | null
}

const STEP = 1.25

/** The picture in a frame that scrolls, with what zooms it and what moves through it. */
export function GraphFrame({ repository, graph, found, jump }: Props) {
  const frame = useRef<HTMLElement>(null)
  const [chosen, setChosen] = useState<string | null>(null)
  const size = sizeOf(graph)
  const zoom = useZoom(frame, size)
  const current = graph.nodes.find(({ id }) => id === (jump ?? chosen)) ?? graph.nodes[0] ?? null
  useKeys('Graph', [
    { keys: '+', words: 'Larger', act: () => zoom.by(STEP) },
    { keys: '-', words: 'Smaller', act: () => zoom.by(1 / STEP) },
    { keys: '0', words: 'The whole graph', act: zoom.fit },
  ])
  useEffect(() => {
    const node = graph.nodes.find(({ id }) => id === jump)
    if (node === undefined) return
    setChosen(node.id)
    show(frame.current, node, zoom.scale)
    // The graph is read again with every change: only another task is jumped to.
  }, [jump])
  useCtrlWheel(frame, zoom.by)
  const move = (event: KeyboardEvent): void => {
    const isArrow = event.key.startsWith('Arrow') && !event.ctrlKey && !event.altKey && !event.metaKey
    const isOnNode = event.target instanceof Element && event.target.closest('[data-node]') !== null
    if (!isArrow || !isOnNode || current === null) return
    event.preventDefault()
    const next = neighbour(graph, current, event.key as Direction)
    if (next === null) return
    setChosen(next.id)
    frame.current?.querySelector<SVGElement>(`[data-node="${CSS.escape(next.id)}"]`)?.focus({ preventScroll: true })
    show(frame.current, next, zoom.scale)
  }
  return (
    <>
      <div class="bar graph-bar">
        <Legend graph={graph} isMarked={graph.critical.length > 1} />
        <span class="buttons">
          <button type="button" aria-label="Smaller" onClick={() => zoom.by(1 / STEP)}>
            −
          </button>
          <button type="button" aria-label="Larger" onClick={() => zoom.by(STEP)}>
            +
          </button>
          <button type="button" disabled={zoom.isFitted} onClick={zoom.fit}>
            Fit
          </button>
        </span>
      </div>
      <section
        ref={frame}
        class="picture"
        style={{ '--natural': `${size.height}px` }}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and must do so with the keyboard too
        tabIndex={0}
        aria-label="Dependencies of tasks, from what is needed on the left to what needs it on the right"
        onKeyDown={move}
        onFocusIn={(event) => {
          const id = (event.target as Element).closest('[data-node]')?.getAttribute('data-node')
          if (id) setChosen(id)
        }}
      >
        <Picture {...{ repository, graph, scale: zoom.scale, current: current?.id ?? null }} found={new Set(found)} />
      </section>
    </>
  )
}

/** Brings a box into the middle of the frame. */
function show(frame: HTMLElement | null, node: GraphNode, scale: number): void {
  if (frame === null) return
  const { left, top } = placeOf(node)
  frame.scrollTo({
    left: (left + BOX.width / 2) * scale - frame.clientWidth / 2,
    top: (top + BOX.height / 2) * scale - frame.clientHeight / 2,
  })
}

/** A wheel without Ctrl scrolls, as everywhere. The page itself must not zoom, so this listener is not passive. */
function useCtrlWheel(frame: { current: HTMLElement | null }, zoomBy: (factor: number, at: WheelEvent) => void): void {
  const latest = useRef(zoomBy)
  latest.current = zoomBy
  useEffect(() => {
    const element = frame.current
    const turn = (event: WheelEvent): void => {
      if (!event.ctrlKey) return
      event.preventDefault()
      latest.current(Math.exp(-event.deltaY / 300), event)
    }
    element?.addEventListener('wheel', turn, { passive: false })
    return () => element?.removeEventListener('wheel', turn)
  }, [frame])
}
