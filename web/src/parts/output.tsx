import { printable } from '../../../src/core/text/printable.ts'

interface Props {
  text: string
  class?: string
  /** In the middle of a line. */
  inline?: boolean
}

/**
 * What a program has printed. Colours of a terminal are left out; every other control character, and every character
 * that would change the direction of the text, is shown as an escape.
 */
export function Output({ text, inline = false, ...rest }: Props) {
  const plain = printable(text.replace(COLOURS, ''), { multiline: !inline })
  return inline ? <span class={rest.class}>{plain}</span> : <pre class={rest.class}>{plain}</pre>
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: that is what they begin with
const COLOURS = /\u001b\[[\d;]*m/g
