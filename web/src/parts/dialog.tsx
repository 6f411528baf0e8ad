import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'

interface Props {
  title: string
  class?: string
  /** Called when it is closed, also with Escape. */
  closed: () => void
  children: ComponentChildren
}

/** A window over the page. The keyboard stays inside of it until it is closed. */
export function Dialog({ title, class: name = 'window', closed, children }: Props) {
  const dialog = useRef<HTMLDialogElement>(null)
  const isClosed = useRef(false)
  useLayoutEffect(() => dialog.current?.showModal(), [])
  // The browser reports that it is closed a moment later. What is opened in between must stay open.
  const end = (): void => {
    if (isClosed.current) return
    isClosed.current = true
    dialog.current?.close()
    closed()
  }
  return (
    <dialog ref={dialog} class={name} aria-labelledby="dialog-title" onClose={end} onCancel={end}>
      <div class="bar">
        <h1 id="dialog-title">{title}</h1>
        <button type="button" class="quiet" onClick={end}>
          Close
        </button>
      </div>
      {children}
    </dialog>
  )
}
