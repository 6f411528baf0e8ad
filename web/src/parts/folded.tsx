import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'

/** What is inside is made, and read, when it is opened. */
export function Folded({ title, children }: { title: string; children: ComponentChildren }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details class="fold" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{title}</summary>
      {isOpen && <div class="folded">{children}</div>}
    </details>
  )
}
