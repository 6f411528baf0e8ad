import { useEffect, useState } from 'preact/hooks'
import { get } from '../../api/request.ts'
import type { Agents, WorktreeSizes } from '../../api/types.ts'
import { CopyButton } from '../../parts/copy-button.tsx'
import { TaskLink } from '../../parts/task-link.tsx'
import { Part, Table } from './part.tsx'

interface Props {
  repository: string
  worktrees: Agents['worktrees']
  holders: Agents['holders']
}

/** What can be removed is named with its command, and nothing is removed here. */
export function Worktrees({ repository, worktrees, holders }: Props) {
  const { sizes, measure, isBusy } = useSizes(repository)
  const holderOf = (run: string | null) => holders.find((holder) => holder.run === run)
  return (
    <Part title="Worktrees" count={worktrees.length}>
      <p class="why">
        <button type="button" class="quiet" disabled={isBusy} onClick={measure}>
          Measure again
        </button>{' '}
        {sizes !== null
          ? `${bytesOf(sizes.reduce((sum, { bytes }) => sum + (bytes ?? 0), 0))} in all.`
          : isBusy
            ? 'Measuring…'
            : 'The sizes could not be measured.'}
      </p>
      <Table
        title="Worktrees"
        columns={['Folder', 'Branch', 'Size', 'Used by']}
        rows={worktrees.map(({ path, branch, isOwn, run, removal }) => {
          const holder = holderOf(run)
          const size = sizes?.find((each) => each.path === path)
          return {
            key: path,
            cells: [
              <code>{path}</code>,
              branch === null ? '–' : <code>{branch}</code>,
              <span class="size">
                {size === undefined ? '' : size.bytes === null ? 'unknown' : bytesOf(size.bytes)}
              </span>,
              removal !== null ? (
                <Removal {...removal} />
              ) : holder?.task ? (
                <TaskLink repository={repository} task={holder.task} />
              ) : holder ? (
                holder.what
              ) : isOwn ? (
                'nobody'
              ) : (
                'you'
              ),
            ],
          }
        })}
      />
    </Part>
  )
}

function Removal({ command, why }: { command: string; why: string }) {
  return (
    <>
      {why} <code>{command}</code> <CopyButton text={command} label="Copy the command" />
    </>
  )
}

/** Every file is looked at, so it is done when the view is opened and when it is asked for, and not with every change. */
function useSizes(repository: string) {
  const [sizes, setSizes] = useState<WorktreeSizes | null>(null)
  const [isBusy, setBusy] = useState(false)
  const measure = async (): Promise<void> => {
    setBusy(true)
    try {
      setSizes((await get<{ value: WorktreeSizes }>(`r/${repository}/worktree-sizes`)).value)
    } catch {
      // The rest of the view says that the server cannot be reached.
    } finally {
      setBusy(false)
    }
  }
  useEffect(() => void measure(), [repository])
  return { sizes, measure, isBusy }
}

const UNITS = ['KB', 'MB', 'GB', 'TB']

function bytesOf(bytes: number): string {
  let value = bytes / 1024
  let unit = 0
  while (value >= 1024 && unit < UNITS.length - 1) {
    value /= 1024
    unit++
  }
  return `${value < 10 && unit > 0 ? value.toFixed(1) : Math.round(value)} ${UNITS[unit]}`
}
