import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

interface Props {
  title: string
  /** Called when it is closed, also with Escape. */
  closed: () => void
  children: ComponentChildren
}

/** A window over the page. The keyboard stays inside of it until it is closed. */
export function Dialog({ title, closed, children }: Props) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog ref={dialog} class="window" aria-labelledby="dialog-title" onClose={closed}>
      <div class="bar">
        <h1 id="dialog-title">{title}</h1>
        <button type="button" class="quiet" onClick={() => dialog.current?.close()}>
          Close
        </button>
      </div>
      {children}
    </dialog>
  )
}
