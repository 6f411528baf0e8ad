/** The words of a name or a sentence in a form for comparison: lower case, without a plural's s. */
export function wordsOf(text: string): string[] {
  const apart = text.replace(/([a-z\d])([A-Z])/g, '$1 $2').toLowerCase()
  return (apart.match(/[\p{L}\d]+/gu) ?? []).map(singular)
}

/** The meaningful words, reduced to their common stem: `exported`, `exports` and `exporter` are the same. */
export function rootsOf(text: string): string[] {
  return wordsOf(text)
    .filter((word) => word.length > 1 && !EMPTY.has(word))
    .map(root)
}

function singular(word: string): string {
  if (word.length < 4 || word.endsWith('ss')) return word
  return word.replace(/ies$/, 'y').replace(/(?<=[^s])s$/, '')
}

function root(word: string): string {
  const bare = word.replace(/(?<=.{4})(?:ation|ing|er|or|ed|es|e)$/, '')
  return bare === word ? word : bare.replace(/([bdgmnprt])\1$/, '$1')
}

const EMPTY = new Set(
  (
    'the and for with that this from can must should shall will when then given are was has have not all any each every its ' +
    'into than only may able who what which there they them been being do does did an as at be by in is it no of on or to up ' +
    'one two after before over under other without also more less still new'
  )
    .split(' ')
    .map(singular),
)
