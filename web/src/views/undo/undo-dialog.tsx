import { signal } from '@preact/signals'
import { useState } from 'preact/hooks'
import { useResource } from '../../api/resource.ts'
import type { RevertPreviews } from '../../api/types.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { Problem, Shown } from '../../parts/states.tsx'
import { useAction } from '../../parts/use-action.ts'
import { visibleText } from '../../parts/visible-text.ts'

const isOpen = signal(false)

export function openUndo(): void {
  isOpen.value = true
}

/** What `undo` takes back and what `redo` brings back, before either is done. */
export function UndoDialog({ repository }: { repository: string }) {
  return isOpen.value ? <Open repository={repository} /> : null
}

const VERBS = [
  ['undo', 'Undo', 'takes back the last command that was given in this clone'],
  ['redo', 'Redo', 'brings back what the last undo took back'],
] as const

function Open({ repository }: { repository: string }) {
  const read = useResource<RevertPreviews>(repository, 'undo')
  return (
    <Dialog title="Undo and redo" closed={() => (isOpen.value = false)}>
      <Shown read={read.value}>
        {(previews) => (
          <>
            {VERBS.map(([verb, label, does]) => (
              <Revert key={verb} {...{ repository, verb, label, does }} preview={previews[verb]} />
            ))}
          </>
        )}
      </Shown>
    </Dialog>
  )
}

interface RevertProps {
  repository: string
  verb: 'undo' | 'redo'
  label: string
  does: string
  preview: RevertPreviews['undo']
}

function Revert({ repository, verb, label, does, preview: { reverts, why } }: RevertProps) {
  const { run, isBusy, error } = useAction(repository, { isInWindow: true })
  const [done, setDone] = useState<string | null>(null)
  const act = async (): Promise<void> => {
    if (reverts !== null && (await run(verb, { shown: reverts.commit }))) setDone(reverts.command)
  }
  return (
    <section class="revert" aria-label={label}>
      <h2>{label}</h2>
      {done !== null && (
        <p role="status">
          Done: <code>{done}</code>
        </p>
      )}
      {reverts === null ? (
        <p class="note">{[why?.message, why?.hint].filter(Boolean).join('. ')}</p>
      ) : (
        <>
          <p>
            <code>gza {verb}</code> {does}: <code>{reverts.command}</code>
          </p>
          <ul>
            {reverts.changed.map(({ id, number, title, changes }) => (
              <li key={id}>
                <span class="number">#{number}</span> {visibleText(title)}
                <ul class="note">
                  {changes.map((change) => (
                    <li key={change}>{visibleText(change)}</li>
                  ))}
                </ul>
              </li>
            ))}
          </ul>
          {error && <Problem error={error} />}
          <button type="button" disabled={isBusy} onClick={act}>
            {label}
          </button>
        </>
      )}
    </section>
  )
}
