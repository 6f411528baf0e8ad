/** In a focused diff, arrows lead from one line that can be commented on to the next. */
export function moveAmongLines(event: KeyboardEvent): void {
  const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
  if (by === 0 || !(event.currentTarget instanceof HTMLElement) || isTyping(event.target)) return
  const buttons = [...event.currentTarget.querySelectorAll<HTMLElement>('.line-number')]
  const next = by === 1 ? buttons.find(isAfterFocus) : buttons.findLast(isBeforeFocus)
  if (next === undefined) return
  event.preventDefault()
  next.focus()
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLTextAreaElement
}

function isAfterFocus(element: Element): boolean {
  const position = document.activeElement?.compareDocumentPosition(element) ?? 0
  return (position & Node.DOCUMENT_POSITION_FOLLOWING) !== 0
}

function isBeforeFocus(element: Element): boolean {
  const position = document.activeElement?.compareDocumentPosition(element) ?? 0
  return (position & Node.DOCUMENT_POSITION_PRECEDING) !== 0
}

/** Goes to the next or previous of these elements from where the focus is. */
export function focusAmong(selector: string, by: 1 | -1): void {
  const elements = [...document.querySelectorAll<HTMLElement>(selector)].filter((each) => each.checkVisibility())
  const isInView = document.getElementById('view')?.contains(document.activeElement) ?? false
  const isOther = (element: Element) => !element.contains(document.activeElement)
  const next =
    by === 1
      ? elements.find((each) => !isInView || (isAfterFocus(each) && isOther(each)))
      : elements.findLast((each) => isInView && isBeforeFocus(each) && isOther(each))
  next?.focus()
  next?.scrollIntoView({ block: next.matches('summary') ? 'start' : 'center' })
}
