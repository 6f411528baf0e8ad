/**
 * Makes text of others safe to look at: control characters and those that turn the direction of text are shown as
 * escapes. Not `printable` of src/core: the bundler would put it into a part that also has what only the server can load.
 */
export function visibleText(text: string): string {
  return text.replace(HIDDEN, (character) => {
    const code = character.charCodeAt(0).toString(16)
    return code.length > 2 ? `\\u${code.padStart(4, '0')}` : `\\x${code.padStart(2, '0')}`
  })
}

/** The same for text of several lines: they stay lines. */
export function visibleLines(text: string): string {
  return text.split(/\r?\n/).map(visibleText).join('\n')
}

/** A tab stays: lines of code have them. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must not be obeyed
const HIDDEN = /[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g
