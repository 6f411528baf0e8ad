import { useMemo, useState } from 'preact/hooks'
import { useResource } from '../../api/resource.ts'
import type { Graph } from '../../api/types.ts'
import { Empty, Shown } from '../../parts/states.tsx'
import { TaskLink } from '../../parts/task-link.tsx'
import { go, pathTo, route } from '../../route.ts'
import { GraphFrame } from './graph-frame.tsx'

export function GraphView({ repository }: { repository: string }) {
  const isAll = route.value.query.get('all') === 'true'
  const read = useResource<Graph>(repository, `graph?all=${isAll}`)
  const graph = read.value.value
  const [wanted, setWanted] = useState('')
  const [at, setAt] = useState(0)
  const found = useMemo(() => (graph === null ? [] : findNodes(graph, wanted)), [graph, wanted])
  const search = (text: string): void => {
    setWanted(text)
    setAt(0)
  }
  const toggle = (): void => go(pathTo(repository, 'graph') + (isAll ? '' : '?all=true'), { replace: true })
  return (
    <section class="graph">
      <div class="bar">
        <h1>Graph</h1>
        <SearchField
          {...{ wanted, search, at, count: found.length }}
          step={(by) => setAt(found.length === 0 ? 0 : (at + by + found.length) % found.length)}
        />
        <label class="choice">
          <input type="checkbox" checked={isAll} onChange={toggle} /> finished tasks too
        </label>
      </div>
      <Shown
        read={read.value}
        empty={(graph) =>
          isEmpty(graph) ? <Empty title={isAll ? 'There are no tasks' : 'There are no open tasks'} /> : null
        }
      >
        {(graph) => (
          <>
            {graph.cycles.length > 0 && <Cycles {...{ repository, graph }} />}
            {graph.nodes.length > 0 && <GraphFrame {...{ repository, graph, found, jump: found[at] ?? null }} />}
            {graph.alone.length > 0 && <Alone {...{ repository, tasks: graph.alone }} />}
          </>
        )}
      </Shown>
    </section>
  )
}

interface SearchProps {
  wanted: string
  search(text: string): void
  /** The found task that is shown, of so many. */
  at: number
  count: number
  step(by: number): void
}

function SearchField({ wanted, search, at, count, step }: SearchProps) {
  return (
    <>
      <input
        type="search"
        placeholder="Find a task"
        aria-label="Find a task"
        value={wanted}
        onInput={(event) => search(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return
          event.preventDefault()
          step(event.shiftKey ? -1 : 1)
        }}
      />
      <span class="why" role="status">
        {wanted === '' ? '' : count === 0 ? 'nothing found' : `${at + 1} of ${count}`}
      </span>
    </>
  )
}

function isEmpty({ nodes, alone }: Graph): boolean {
  return nodes.length === 0 && alone.length === 0
}

function findNodes({ nodes }: Graph, wanted: string): string[] {
  const text = wanted.trim().toLowerCase()
  if (text === '') return []
  const exact = nodes.filter(({ number }) => text === `#${number}` || text === String(number))
  const others = nodes.filter(
    (node) => !exact.includes(node) && `#${node.number} ${node.key ?? ''} ${node.title}`.toLowerCase().includes(text),
  )
  return [...exact, ...others].map(({ id }) => id)
}

function Cycles({ repository, graph: { cycles, nodes } }: { repository: string; graph: Graph }) {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  return (
    <section class="problem" role="alert">
      <strong>
        {cycles.length === 1
          ? 'These tasks wait for each other'
          : `${cycles.length} groups of tasks wait for each other`}
      </strong>
      <ul>
        {cycles.map((cycle) => (
          <li key={cycle.join()}>
            {[...cycle, ...cycle.slice(0, 1)].map((id, at) => (
              <span key={at}>
                {at > 0 && ' needs '}
                <TaskLink repository={repository} task={byId.get(id) ?? { number: 0, title: id }} />
              </span>
            ))}
          </li>
        ))}
      </ul>
      <p>None of them can start until one of these dependencies is removed.</p>
    </section>
  )
}

const FIRST = 100

function Alone({ repository, tasks }: { repository: string; tasks: Graph['alone'] }) {
  const [isWhole, setWhole] = useState(false)
  return (
    <section>
      <h2>
        Without dependencies <span class="count">{tasks.length}</span>
      </h2>
      <ul class="alone-tasks">
        {tasks.slice(0, isWhole ? undefined : FIRST).map((task) => (
          <li key={task.id} data-row>
            <TaskLink repository={repository} task={task} />{' '}
            <span class={`why status-${task.status}`}>{task.status.replaceAll('_', ' ')}</span>
          </li>
        ))}
      </ul>
      {!isWhole && tasks.length > FIRST && (
        <button type="button" class="quiet" onClick={() => setWhole(true)}>
          Show all {tasks.length}
        </button>
      )}
    </section>
  )
}
