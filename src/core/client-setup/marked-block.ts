/** A block from gza in somebody else's text, between markers. The text around it is never touched. */

const BEGIN = '<!-- gza:begin -->'
const END = '<!-- gza:end -->'

export type Edited = { text: string } | { why: string }

/** The text with the block in its old place, or at the end. */
export function putBlock(text: string, body: string): Edited {
  const found = findBlock(text)
  if ('why' in found) return found
  const eol = text.includes('\r\n') ? '\r\n' : '\n'
  const block = [BEGIN, ...body.trimEnd().split('\n'), END].join(eol)
  if (found.block) return { text: text.slice(0, found.block.start) + block + text.slice(found.block.end) }
  if (text === '') return { text: block + eol }
  // The end of the text is kept unchanged, so that removing the block again leaves no trace.
  return { text: text.endsWith('\n') ? `${text}${eol}${block}${eol}` : `${text}${eol}${eol}${block}` }
}

export function takeBlock(text: string): Edited {
  const found = findBlock(text)
  if ('why' in found) return found
  if (!found.block) return { text }
  const before = text.slice(0, found.block.start)
  const after = text.slice(found.block.end)
  if (before === '') return { text: after.replace(/^\r?\n/, '') }
  if (after === '') return { text: before.replace(/\r?\n\r?\n$/, '') }
  // Only an empty line is removed with it: people may have moved their own text up to the block.
  if (!before.endsWith('\n')) return { text: before + after }
  return { text: before.replace(/(?<=\n)\r?\n$/, '') + after.replace(/^\r?\n/, '') }
}

interface Found {
  block: { start: number; end: number } | null
}

function findBlock(text: string): Found | { why: string } {
  const begins = text.split(BEGIN).length - 1
  const ends = text.split(END).length - 1
  if (begins === 0 && ends === 0) return { block: null }
  const start = text.indexOf(BEGIN)
  const end = text.indexOf(END) + END.length
  if (begins !== 1 || ends !== 1 || end < start)
    return { why: `${BEGIN} and ${END} must appear in it once each, in this order` }
  return { block: { start, end } }
}
