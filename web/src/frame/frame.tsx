import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { caughtUp, connection } from '../api/changes.ts'
import type { Repositories } from '../api/types.ts'
import { LateRefusal } from '../parts/late-refusal.tsx'
import { Link } from '../parts/link.tsx'
import { StartedDock } from '../parts/started-dock.tsx'
import { pathTo, route, type View } from '../route.ts'
import { Everywhere } from '../views/everywhere.tsx'
import { useFrameKeys } from './frame-keys.ts'
import { Help, isHelpOpen } from './help.tsx'
import { FollowInboxes, needsYou } from './inboxes.tsx'
import { NotificationButton } from './notifications.tsx'
import { ThemeButton } from './theme.tsx'

const TABS: readonly [View, string][] = [
  ['inbox', 'Needs you'],
  ['board', 'Board'],
  ['live', 'Live'],
  ['graph', 'Graph'],
  ['landing', 'Landing'],
  ['numbers', 'Numbers'],
  ['agents', 'Agents'],
]

interface Props {
  served: Repositories
  repository: Repositories['repositories'][number]
  children: ComponentChildren
}

export function Frame({ served, repository, children }: Props) {
  const { view } = route.value
  useFrameKeys(repository.id, TABS)
  const inbox = needsYou(repository.id)
  useTitle(served, repository.name)
  return (
    <>
      <a class="skip" href="#view">
        Skip to the view
      </a>
      <header class="top">
        <RepositoryChoice served={served} chosen={repository.id} />
        <nav aria-label="Views" ref={useCurrentInSight(view)}>
          {TABS.map(([name, title]) => (
            <Link key={name} to={pathTo(repository.id, name)} current={view === name} class="tab">
              {title}
              {name === 'inbox' && inbox > 0 && <span class="count">{inbox}</span>}
            </Link>
          ))}
        </nav>
        {!served.read_only && <Everywhere repository={repository.id} />}
        {served.read_only && <span class="badge">read-only</span>}
        <ConnectionState />
        <NotificationButton />
        <ThemeButton />
        <button type="button" class="quiet" aria-haspopup="dialog" onClick={() => (isHelpOpen.value = true)}>
          Help
        </button>
      </header>
      <main id="view" tabIndex={-1}>
        {children}
      </main>
      <LateRefusal />
      {!served.read_only && <StartedDock repository={repository.id} />}
      <Help version={served.version} />
      <FollowInboxes served={served} />
    </>
  )
}

/** On a narrow screen the views scroll sideways. */
function useCurrentInSight(view: View | null) {
  const nav = useRef<HTMLElement>(null)
  useEffect(() => {
    const tab = nav.current?.querySelector<HTMLElement>('[aria-current]')
    if (!nav.current || !tab) return
    nav.current.scrollLeft = tab.offsetLeft + tab.offsetWidth / 2 - nav.current.clientWidth / 2
  }, [view])
  return nav
}

/** The browser shows it among its tabs: how many need a person, in all repositories. */
function useTitle({ repositories }: Repositories, name: string): void {
  const { view } = route.value
  const all = repositories.reduce((sum, { id }) => sum + needsYou(id), 0)
  const title = [TABS.find(([tab]) => tab === view)?.[1] ?? view, name, 'gza'].filter(Boolean).join(' · ')
  useEffect(() => {
    document.title = all > 0 ? `(${all}) ${title}` : title
  }, [all, title])
}

/** All repositories with how many of their entries need a person. Another one is shown in the same view. */
function RepositoryChoice({ served, chosen }: { served: Repositories; chosen: string }) {
  const { repositories } = served
  if (repositories.length === 1) return <span class="repository">{repositories[0]?.name}</span>
  const { view } = route.value
  const next = TABS.some(([tab]) => tab === view) ? (view as View) : 'board'
  return (
    <nav class="repositories" aria-label="Repositories">
      {repositories.map(({ id, name, folder }) => (
        <Link key={id} to={pathTo(id, next)} current={id === chosen} class="tab" title={folder}>
          {name}
          {needsYou(id) > 0 && <span class="count">{needsYou(id)}</span>}
        </Link>
      ))}
    </nav>
  )
}

function ConnectionState() {
  const live = caughtUp.value ? 'connected again, caught up' : 'live'
  const words = { connecting: 'connecting', live, lost: 'not connected' }
  return (
    <span class={`connection ${connection.value}`} role="status" title={TITLES[connection.value]}>
      {words[connection.value]}
    </span>
  )
}

const TITLES = {
  connecting: 'The connection to the server is being made',
  live: 'What changes is shown within a second',
  lost: 'The server cannot be reached. What you see is what was last known. It is tried again.',
}
