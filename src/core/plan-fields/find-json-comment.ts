/**
 * The offset of the first comment in a text that is meant as JSON. Null if there is none, or if the text is rather
 * YAML.
 */
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
