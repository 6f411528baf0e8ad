/** Building prompts: a template with named places, and other people's texts as data between delimiters. */

/** Puts values into `{name}` places. Places nobody fills are removed with the line they stand alone on. */
export function fillPrompt(template: string, values: Readonly<Record<string, string>>): string {
  const filled = template.replace(
    /^\{(\w+)\}\n|\{(\w+)\}/gm,
    (place, alone: string | undefined, inline: string | undefined) => {
      const value = values[alone ?? inline ?? '']
      if (alone !== undefined) return value === undefined || value === '' ? '' : `${value.trimEnd()}\n`
      return value ?? place
    },
  )
  return `${filled.replace(/\n{3,}/g, '\n\n').trim()}\n`
}

/** A text that is data, not instruction, with where it comes from. It cannot close its own block. */
export function dataBlock(origin: string, text: string): string {
  const name = origin.replace(/[\r\n]+/g, ' ')
  const body = text.trimEnd().replace(/^(-{3,} (?:BEGIN|END) )/gm, '\\$1')
  return `--- BEGIN ${name} ---\n${body}\n--- END ${name} ---\n`
}

/** A list under a heading; nothing for an empty list. */
export function listBlock(heading: string, items: readonly string[] | undefined): string {
  if (!items || items.length === 0) return ''
  return `${heading}\n${items.map((item) => `- ${item.replace(/\s*\n\s*/g, ' ')}`).join('\n')}\n`
}

/** Keeps the beginning and the end of a long text: what was asked first and what went wrong last. */
export function clip(text: string, limit: number): string {
  if (text.length <= limit) return text
  const half = Math.floor((limit - 40) / 2)
  return `${text.slice(0, half)}\n… ${text.length - 2 * half} characters left out …\n${text.slice(-half)}`
}
