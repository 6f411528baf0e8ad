import { useKeys } from '../parts/keys.ts'
import { Link } from '../parts/link.tsx'
import { go, pathTo } from '../route.ts'
import { openStartWork, StartDialog } from './start/start-dialog.tsx'
import { openUndo, UndoDialog } from './undo/undo-dialog.tsx'

/** What a person can do in every view. */
export function Everywhere({ repository }: { repository: string }) {
  const add = pathTo(repository, 'add')
  useKeys('Everywhere', [
    { keys: 'n', words: 'New task', act: () => go(add) },
    { keys: 's', words: 'Start work', act: () => openStartWork() },
    { keys: 'u', words: 'Undo or redo', act: openUndo },
  ])
  return (
    <>
      <Link to={add} class="tool">
        New task
      </Link>
      <button type="button" class="quiet" aria-haspopup="dialog" onClick={() => openStartWork()}>
        Start work
      </button>
      <button type="button" class="quiet" aria-haspopup="dialog" onClick={openUndo}>
        Undo
      </button>
      <StartDialog repository={repository} />
      <UndoDialog repository={repository} />
    </>
  )
}
