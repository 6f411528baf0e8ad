/**
 * About how many tokens a text is for a model, rather too many than too few: a tokenizer would be 2 MB. English words
 * are mostly one token and long ones two, ids one for two characters, signs one each. Of other scripts a letter is
 * seldom more than one.
 */
export function estimateTokens(text: string): number {
  let tokens = 0
  for (const [piece] of text.matchAll(PIECES)) tokens += tokensOf(piece)
  return Math.ceil(tokens)
}

const PIECES = /[A-Za-z0-9]+|[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}]+|\n+|[^\S\n]{2,}|\S/gu

function tokensOf(piece: string): number {
  const { length } = piece
  if (/^[A-Z]?[a-z]+$/.test(piece)) return Math.ceil(length / 6)
  if (/^(?:\d+|[A-Z]+)$/.test(piece)) return Math.ceil(length / 3)
  if (/^[A-Za-z]+$/.test(piece)) return Math.ceil(length / 4)
  if (/^[A-Za-z0-9]+$/.test(piece)) return Math.ceil(length / 1.7)
  if (/^(?:\s|[!-~])/.test(piece)) return 1
  if (/^[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}]/u.test(piece)) return Math.ceil(length / 2)
  return /^\p{L}/u.test(piece) ? 1.2 : 3
}
