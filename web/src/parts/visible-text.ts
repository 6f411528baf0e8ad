/**
 * Makes text of others safe to look at: control characters, those without a width and those that turn the direction of
 * text are shown as escapes. Joiners stay, because letters and emoji need them. Not `printable` of src/core: the bundler
 * would put it into a part that also has what only the server can load.
 */
export function visibleText(text: string): string {
  return text.replace(HIDDEN, (character) => {
    const code = (character.codePointAt(0) as number).toString(16)
    if (code.length > 4) return `\\u{${code}}`
    return code.length > 2 ? `\\u${code.padStart(4, '0')}` : `\\x${code.padStart(2, '0')}`
  })
}

/** The same for text of several lines: they stay lines. */
export function visibleLines(text: string): string {
  return text.split(/\r?\n/).map(visibleText).join('\n')
}

/** A tab stays: lines of code have them. */
const HIDDEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must not be obeyed
  /[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/gu
