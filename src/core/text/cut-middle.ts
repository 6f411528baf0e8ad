/** `… (1,234 bytes cut) …` */
export function cutMark(bytes: number): string {
  return `… (${bytes.toLocaleString('en-US')} bytes cut) …`
}

const MARK = /… \(([\d,]+) bytes cut\) …/g

export interface Edges {
  head: number
  tail: number
}

/** A long text with only its head and its tail. Bytes that were cut out before are counted again. */
export function cutMiddle(text: string, { head, tail }: Edges): string {
  if (text.length <= head + tail) return text
  const end = isHalf(text, head) ? head - 1 : head
  const start = isHalf(text, text.length - tail) ? text.length - tail + 1 : text.length - tail
  const middle = text.slice(end, start)
  const before = [...middle.matchAll(MARK)].reduce((sum, [mark, count = '']) => {
    return sum + Number(count.replaceAll(',', '')) - Buffer.byteLength(mark)
  }, 0)
  const kept = `${text.slice(0, end)}${cutMark(Buffer.byteLength(middle) + before)}${text.slice(start)}`
  // A copy: parts of a text keep all of it in memory.
  return Buffer.from(kept).toString()
}

/** Whether a cut here would divide a character that needs two places. */
function isHalf(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return code >= 0xdc00 && code <= 0xdfff
}
