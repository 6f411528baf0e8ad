/** Where a text that is meant as JSON has its first comment; null without one, and where it is rather YAML. */
export function findJsonComment(text: string): number | null {
  if (!/^\s*(?:[[{]|\/[/*])/.test(text)) return null
  let isString = false
  for (let at = 0; at < text.length; at++) {
    const sign = text[at]
    if (isString && sign === '\\') at++
    else if (sign === '"') isString = !isString
    // YAML's `{ url: http://x }` has no blank before it.
    else if (!isString && sign === '/' && /[/*]/.test(text[at + 1] ?? '') && /[\s,[\]{}"\d]/.test(text[at - 1] ?? ' '))
      return at
  }
  return null
}
