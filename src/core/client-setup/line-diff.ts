/** The change between two texts, for people. It is one piece: the equal lines before and after it are left out. */
export function lineDiff(before: string, after: string, path: string): string[] {
  if (before === after) return []
  const old = linesOf(before)
  const fresh = linesOf(after)
  const start = commonStart(old, fresh)
  const end = commonStart(old.slice(start).reverse(), fresh.slice(start).reverse())
  const head = old.slice(Math.max(0, start - CONTEXT), start)
  const tail = old.slice(old.length - end, old.length - end + CONTEXT)
  return [
    `--- ${before === '' ? '/dev/null' : path}`,
    `+++ ${after === '' ? '/dev/null' : path}`,
    ...head.map((line) => ` ${line}`),
    ...old.slice(start, old.length - end).map((line) => `-${line}`),
    ...fresh.slice(start, fresh.length - end).map((line) => `+${line}`),
    ...tail.map((line) => ` ${line}`),
  ]
}

const CONTEXT = 3

function linesOf(text: string): string[] {
  return text === '' ? [] : text.replace(/\r?\n$/, '').split(/\r?\n/)
}

function commonStart(a: readonly string[], b: readonly string[]): number {
  let count = 0
  while (count < a.length && count < b.length && a[count] === b[count]) count++
  return count
}
