import type { ComponentChildren } from 'preact'
import { go } from '../route.ts'

interface Props {
  to: string
  class?: string
  current?: boolean
  label?: string
  title?: string
  children: ComponentChildren
}

/** A link inside the page. With a modifier key the browser opens it elsewhere, as usual. */
export function Link({ to, current, label, title, children, ...rest }: Props) {
  const follow = (event: MouseEvent): void => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return
    event.preventDefault()
    go(to)
  }
  return (
    <a
      href={to}
      onClick={follow}
      class={rest.class}
      title={title}
      aria-current={current ? 'page' : undefined}
      aria-label={label}
    >
      {children}
    </a>
  )
}
