/**
 * Chinese, Japanese, Thai and some other scripts put no space between words, and a text in them would be one word that
 * nobody searches for. Each of their letters becomes a word of its own, and words become phrases of letters. The mark
 * between them is invisible; a tokenizer takes it for a separator.
 */
export function separateLetters(text: string): string {
  return NO_SPACES.test(text) ? text.replace(LETTER, `${MARK}$&${MARK}`) : text
}

export function joinLetters(text: string): string {
  return text.replaceAll(MARK, '')
}

const MARK = '\u200b'
const SCRIPTS = ['Han', 'Hiragana', 'Katakana', 'Thai', 'Lao', 'Khmer', 'Myanmar'].map((name) => `\\p{scx=${name}}`)
const NO_SPACES = new RegExp(`[${SCRIPTS.join('')}]`, 'u')
/** With the marks that belong to it. */
const LETTER = new RegExp(`(?=\\p{L})[${SCRIPTS.join('')}]\\p{M}*`, 'gu')
