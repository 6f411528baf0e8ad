import { shellWord } from '../../../../src/core/text/shell-word.ts'
import { useResource } from '../../api/resource.ts'
import type { Agents } from '../../api/types.ts'
import { ConfirmButton } from '../../parts/confirm-button.tsx'
import { Shown } from '../../parts/states.tsx'
import { StatusBadge, TaskLink } from '../../parts/task-link.tsx'
import { Ago, lengthOf, present } from '../../parts/time.tsx'
import { Holders } from './holders.tsx'
import { Part, Table } from './part.tsx'
import { Worktrees } from './worktrees.tsx'

interface Props {
  repository: string
  readOnly: boolean
}

export function AgentsView({ repository, readOnly }: Props) {
  const read = useResource<Agents>(repository, 'agents')
  return (
    <section class="agents">
      <h1>Agents</h1>
      <Shown read={read.value}>
        {({ clients, agents, pauses: known, holders, worktrees }) => {
          const pauses = known.filter(isNotOver)
          return (
            <>
              {pauses.length > 0 && <Pauses {...{ repository, pauses, readOnly }} />}
              <Clients {...{ clients, pauses }} />
              <AgentTable {...{ repository, agents }} />
              <Holders {...{ repository, holders }} />
              <Worktrees {...{ repository, worktrees, holders }} />
            </>
          )
        }}
      </Shown>
    </section>
  )
}

/** A pause ends by itself, and nothing is written then. */
function isNotOver({ until }: Agents['pauses'][number]): boolean {
  return Date.parse(until) > present.value
}

function Pauses({ repository, pauses, readOnly }: Props & Pick<Agents, 'pauses'>) {
  return (
    <Part title="At a usage limit" count={pauses.length}>
      <ul class="entries">
        {pauses.map(({ agent, model, until, isGuessed }) => (
          <li class="entry" key={`${agent} ${model}`} data-row>
            <h3 class="paused">
              {agent}
              {model !== null && <span class="code">model {model}</span>}
            </h3>
            <p class="why">
              Not called until <time dateTime={until}>{new Date(until).toLocaleString()}</time>, in{' '}
              {lengthOf(Date.parse(until) - present.value)}.
              {isGuessed && ' The client did not report when its limit ends, so this is a guess.'}
            </p>
            {!readOnly && (
              <ConfirmButton
                {...{ repository, label: `Call ${agent} again`, action: 'lift-pause', input: { agent } }}
                seen={{ until: pauses.filter((each) => each.agent === agent).map((each) => each.until) }}
                effect={`${agent} is called again at once, in all your repositories. If its limit still holds, it pauses again.`}
                command={`gza agents resume ${shellWord(agent)}`}
              />
            )}
          </li>
        ))}
      </ul>
    </Part>
  )
}

function Clients({ clients, pauses }: Pick<Agents, 'clients' | 'pauses'>) {
  const isPaused = (client: string) => pauses.some(({ agent }) => agent === client)
  return (
    <Part
      title="Clients on this machine"
      count={clients.length}
      empty="No client is installed, and none is configured."
    >
      <Table
        title="Clients on this machine"
        columns={['Client', 'State', 'Works on', 'Reviews', 'Program']}
        rows={clients.map(({ client, path, configured, works_on, reviews, install }) => ({
          key: client,
          cells: [
            client,
            path === null ? (
              <>
                <span class="badge status-failed">not found</span> {install && <code>{install}</code>}
              </>
            ) : isPaused(client) ? (
              <span class="badge status-blocked">at its limit</span>
            ) : (
              <span class="badge status-completed">ready</span>
            ),
            typesOf(works_on),
            typesOf(reviews),
            <>
              {path === null ? '–' : <code>{path}</code>} {configured && <span class="why">from gza.yaml</span>}
            </>,
          ],
        }))}
      />
    </Part>
  )
}

/** How many types of tasks there are. */
const TYPES = 6

function typesOf(types: readonly string[]): string {
  if (types.length === 0) return '–'
  return types.length === TYPES ? 'every type' : types.join(', ')
}

function AgentTable({ repository, agents }: { repository: string } & Pick<Agents, 'agents'>) {
  return (
    <Part title="Agents with tasks" count={agents.length} empty="No agent has a task.">
      <Table
        title="Agents with tasks"
        columns={['Agent', 'Status', 'Task', 'Open tasks', 'Last sign of life']}
        rows={agents.map(({ agent, client, status, detail, current_task, open_count, heartbeat_at }) => ({
          key: agent,
          cells: [
            client === null ? agent : `${agent} (${client})`,
            <>
              <StatusBadge status={status} /> {detail}
            </>,
            current_task ? <TaskLink repository={repository} task={current_task} /> : '–',
            open_count,
            heartbeat_at ? <Ago at={heartbeat_at} /> : 'unknown',
          ],
        }))}
      />
    </Part>
  )
}
