/** Tests and assertions that a change takes away. What moved elsewhere in the same change is not lost. */
import type { DiffHunk, DiffLine, FileDiff } from './diff-text.ts'
import { asserts, assertsLittle, declaresTest, testName } from './test-code.ts'

type Place = DiffLine & { path: string }

/** Tests whose name is gone, as many as there are fewer now: a test that got a new name is not lost. */
export function lostTests(files: readonly FileDiff[]): Place[] {
  const added = files.flatMap((file) => linesOf(file, 'added')).filter(({ text }) => declaresTest(text))
  const names = new Set(added.map(({ text }) => testName(text)))
  return files.flatMap((file) => {
    const removed = linesOf(file, 'removed').filter(({ text }) => declaresTest(text))
    const gone = removed.filter(({ text }) => !names.has(testName(text)))
    const own = linesOf(file, 'added').filter(({ text }) => declaresTest(text))
    return gone.slice(0, Math.max(0, removed.length - own.length)).map((line) => ({ ...line, path: file.path }))
  })
}

/** `isReplaced`: an assertion that says less is in its place. */
export function lostAssertions(files: readonly FileDiff[]): (Place & { isReplaced: boolean })[] {
  const everywhere = new Set(files.flatMap((file) => linesOf(file, 'added')).map(({ text }) => text.trim()))
  return files.flatMap((file) => {
    const weaker = file.hunks.flatMap(weakerLines).map((line) => ({ ...line, path: file.path, isReplaced: true }))
    const removed = linesOf(file, 'removed').filter(({ text }) => asserts(text))
    const added = linesOf(file, 'added').filter(({ text }) => asserts(text))
    const gone = removed.filter(({ text }) => !everywhere.has(text.trim()))
    const count = Math.max(0, Math.min(gone.length, removed.length - added.length))
    // Those of a test that is gone as a whole are reported with it.
    const lost = count === 0 ? [] : gone.filter((line) => !isInLostTest(file, line)).slice(0, count)
    return [...weaker, ...lost.map((line) => ({ ...line, path: file.path, isReplaced: false }))]
  })
}

function isInLostTest({ hunks }: FileDiff, { line }: DiffLine): boolean {
  const hunk = hunks.find(({ removed }) => removed.some((each) => each.line === line))
  return hunk?.removed.some((each) => each.line < line && declaresTest(each.text)) ?? false
}

/** The new assertions of a hunk that almost anything passes, where others were before. */
function weakerLines({ removed, added }: DiffHunk): DiffLine[] {
  const before = removed.filter(({ text }) => asserts(text) && !assertsLittle(text))
  const little = added.filter(({ text }) => asserts(text) && assertsLittle(text))
  const strong = added.filter(({ text }) => asserts(text) && !assertsLittle(text))
  const was = new Set(removed.map(({ text }) => text.trim()))
  return strong.length >= before.length ? [] : little.filter(({ text }) => !was.has(text.trim()))
}

function linesOf({ hunks }: FileDiff, side: 'added' | 'removed'): DiffLine[] {
  return hunks.flatMap((hunk) => hunk[side])
}
