/**
 * Where work makes checks see less: tests that go away or are skipped, assertions that get weaker, limits and rules
 * that get looser, comments that tell tools to look away. It reads only the diff, so that it costs one call of git. It
 * reports; a person decides.
 */
import { isTestFile } from '../size/layers.ts'
import { oneLine } from '../text/one-line.ts'
import { shorten } from '../text/shorten.ts'
import { configuresLint, configuresTests, isCode, isSnapshot, mayHoldChecks } from './check-files.ts'
import type { DiffLine, FileDiff } from './diff-text.ts'
import { emptyTests } from './empty-tests.ts'
import { detectsTest, hidesFailure, ignoresTool, isCheckSetting, saysHowToCheck } from './line-marks.ts'
import { loosenedNumber, loosenedRule, replacedLines } from './loosened-lines.ts'
import { lostAssertions, lostTests } from './lost-checks.ts'
import { runsOnly, skipsTest } from './test-code.ts'
import type { Weakening, WeakeningKind } from './weakening.ts'

/** `commandFiles`: the files that the project's check commands name. */
export function findWeakened(files: readonly FileDiff[], commandFiles: ReadonlySet<string>): Weakening[] {
  const tests = files.filter(({ path, oldPath }) => isTest(path) || (oldPath !== null && isTest(oldPath)))
  return [
    ...tests.flatMap(goneFile),
    ...lostTests(tests.filter(isStillTest)).map((lost) => found('test-removed', lost)),
    ...lostAssertions(tests.filter(isStillTest)).map(({ isReplaced, ...lost }) =>
      found(isReplaced ? 'assertion-weakened' : 'assertion-removed', lost),
    ),
    ...tests.flatMap(emptyTests).map((empty) => found('test-empty', empty)),
    ...files.flatMap(addedMarks),
    ...files.flatMap(loosened),
    ...snapshots(files),
    ...files.filter((file) => changesChecks(file, commandFiles)).map(changedChecks),
    ...files.filter(({ path }) => mayHoldChecks(path) && !commandFiles.has(path)).flatMap(changedCommands),
  ]
}

/** A snapshot is in a folder of tests, but has no tests itself. */
function isTest(path: string): boolean {
  return isTestFile(path) && isCode(path) && !isSnapshot(path)
}

function isStillTest({ path, change }: FileDiff): boolean {
  return change !== 'removed' && isTest(path)
}

function goneFile({ path, oldPath, change }: FileDiff): Weakening[] {
  if (change === 'removed') return [{ kind: 'test-file-removed', path, line: null, text: '' }]
  if (oldPath === null || !isTest(oldPath) || isTest(path)) return []
  return [{ kind: 'test-file-renamed', path: oldPath, line: null, text: `now ${path}` }]
}

/** A line that was only moved or indented is in both lists. */
function addedMarks(file: FileDiff): Weakening[] {
  const { path } = file
  const marks: [WeakeningKind, (text: string) => boolean][] = []
  if (isTest(path)) marks.push(['test-skipped', skipsTest], ['test-only', runsOnly])
  if (isCode(path)) marks.push(['check-ignored', ignoresTool])
  if (isCode(path) && !isTestFile(path) && !mayHoldChecks(path)) marks.push(['test-detected', detectsTest])
  if (mayHoldChecks(path) || configuresTests(path)) marks.push(['failure-hidden', hidesFailure])
  const before = new Set(linesOf(file, 'removed').map(({ text }) => text.trim()))
  const added = linesOf(file, 'added').filter(({ text }) => !before.has(text.trim()))
  return marks.flatMap(([kind, isMark]) =>
    added.filter(({ text }) => isMark(text)).map((at) => found(kind, { path, ...at })),
  )
}

function loosened({ path, hunks }: FileDiff): Weakening[] {
  const isLint = configuresLint(path)
  const isSetting = isLint || configuresTests(path) || mayHoldChecks(path)
  if (!isSetting && !isTest(path)) return []
  return hunks.flatMap(replacedLines).flatMap((pair) => {
    const kind = loosenedNumber(pair)
    if (kind !== null) return found(kind === 'timeout' ? 'timeout-raised' : 'limit-loosened', { path, ...pair.after })
    return isLint && loosenedRule(pair) ? found('rule-loosened', { path, ...pair.after }) : []
  })
}

/** A snapshot that changes together with code shows what changed. Alone it only makes a test pass. */
function snapshots(files: readonly FileDiff[]): Weakening[] {
  const isSource = ({ path }: FileDiff) => isCode(path) && !isTestFile(path) && !isSnapshot(path)
  if (files.some(isSource)) return []
  return files.flatMap(({ path, change, hunks }) => {
    const first = hunks.find(({ removed }) => removed.length > 0)?.removed[0]
    return isSnapshot(path) && change !== 'added' && first ? [found('snapshot-updated', { path, ...first })] : []
  })
}

/** A new file sets up checks that were not there before. */
function changesChecks({ path, oldPath, change }: FileDiff, commandFiles: ReadonlySet<string>): boolean {
  const before = oldPath ?? path
  if (change === 'added') return false
  return configuresTests(before) || (commandFiles.has(before) && !isTest(before) && !mayHoldOther(before))
}

/** A command that names package.json does not run all of it. */
function mayHoldOther(path: string): boolean {
  return /(?:^|\/)(?:package\.json|pyproject\.toml|Cargo\.toml|go\.mod)$/.test(path)
}

function changedChecks({ path, change, hunks }: FileDiff): Weakening {
  const at = hunks[0]?.added[0] ?? hunks[0]?.removed[0]
  if (change === 'removed' || at === undefined) return { kind: 'check-changed', path, line: null, text: '' }
  return found('check-changed', { path, ...at })
}

function changedCommands(file: FileDiff): Weakening[] {
  if (file.change === 'added') return []
  const { path } = file
  const isOfCheck = ({ text }: DiffLine) => saysHowToCheck(text) || isCheckSetting(text)
  const removed = linesOf(file, 'removed').filter(isOfCheck)
  const added = linesOf(file, 'added').filter(isOfCheck)
  // A further command takes nothing away.
  const [first] = removed.filter(({ text }) => !added.some((other) => other.text.trim() === text.trim()))
  return first === undefined ? [] : [found('check-changed', { path, ...(added[0] ?? first) })]
}

function linesOf({ hunks }: FileDiff, side: 'added' | 'removed'): DiffLine[] {
  return hunks.flatMap((hunk) => hunk[side])
}

const LONGEST_TEXT = 120

function found(kind: WeakeningKind, { path, line, text }: { path: string } & DiffLine): Weakening {
  return { kind, path, line, text: shorten(oneLine(text).trim(), LONGEST_TEXT) }
}
