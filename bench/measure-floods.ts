import { closeSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { type Factory, makeFactory, workOn } from './factory.ts'
import { peakMemory } from './peak-memory.ts'
import type { Place } from './place.ts'
import { timeOnce } from './probe.ts'
import { measured, NO_TARGET, type Row } from './row.ts'
import { summarize } from './statistics.ts'
import { megabytes, times } from './table.ts'

const BYTES = 100_000_000
const MOST_TIMES = 3
const MOST_MEMORY = 150e6
const MOST_MEMORY_LINE = 200e6

/**
 * One task whose agent prints 100 MB, as short lines and as one line: the whole `gza work` beside a program of the same
 * runtime that only reads the same lines from a pipe and splits them.
 */
export function measureFloods(place: Place, rounds: number): Row[] {
  const lines = join(place.root, 'flood-lines')
  const line = join(place.root, 'flood-line')
  fill(lines, (number) => `line ${String(number).padStart(9, '0')} of the flood\n`)
  fill(line, () => 'no newline in here, ')
  const ours: number[] = []
  const theirs: number[] = []
  const peaks: number[] = []
  const linePeaks: number[] = []
  for (let round = 0; round < rounds; round++) {
    const timeOurs = () => ours.push(inFactory(place, lines, timeOnce))
    const timeTheirs = () => theirs.push(timeOnce(splitting(place, lines)))
    for (const take of round % 2 === 0 ? [timeOurs, timeTheirs] : [timeTheirs, timeOurs]) take()
    peaks.push(inFactory(place, lines, peakMemory))
    linePeaks.push(inFactory(place, line, peakMemory))
  }
  rmSync(lines)
  rmSync(line)
  const ratio = summarize(ours).median / summarize(theirs).median
  const target = { ratio: `${times(ratio)} reading`, target: `≤ ${MOST_TIMES} × reading`, reached: ratio <= MOST_TIMES }
  return [
    { what: 'gza work, an agent that prints 100 MB of lines', tasks: 1, ...measured(ours), ...target },
    { what: 'program that reads and splits 100 MB of lines', tasks: null, ...measured(theirs), ...NO_TARGET },
    peakRow('100 MB of lines', peaks, MOST_MEMORY),
    peakRow('one line of 100 MB', linePeaks, MOST_MEMORY_LINE),
  ]
}

function peakRow(what: string, peaks: readonly number[], most: number): Row {
  const { median } = summarize(peaks)
  const target = { ratio: '', target: `< ${most / 1e6} MB`, reached: median < most }
  return { what: `peak memory of gza work, ${what}`, tasks: 1, ...measured(peaks, megabytes), ...target }
}

function fill(path: string, text: (number: number) => string): void {
  const descriptor = openSync(path, 'w')
  for (let size = 0, number = 0; size < BYTES; ) {
    const piece = Array.from({ length: 10_000 }, () => text(number++)).join('')
    size += writeSync(descriptor, piece)
  }
  closeSync(descriptor)
}

/** A fresh repository with one task, whose agent prints the file and then does its work. */
function inFactory(place: Place, file: string, measure: (probe: ReturnType<typeof workOn>) => number): number {
  const factory = makeFactory(place, { name: 'flood', tasks: 1, seconds: 0 })
  const script = [
    '#!/bin/sh',
    'set -e',
    `cat '${file}'`,
    'echo',
    'echo done > part',
    'git add --all',
    "git commit --quiet --message 'Do it'",
    `echo '{"type":"result","subtype":"success","is_error":false,"result":"Done"}'`,
  ]
  writeFileSync(factory.agent, `${script.join('\n')}\n`)
  const value = measure(workOn(place, factory))
  remove(factory)
  return value
}

function remove({ dir, diary }: Factory): void {
  for (const path of [dir, `${dir}-trees`, `${dir}-state`, diary]) rmSync(path, { recursive: true, force: true })
}

function splitting(place: Place, file: string) {
  const program = join(import.meta.dir, 'references/split-lines.ts')
  return { argv: [process.execPath, program, 'cat', file], cwd: place.root, env: place.env }
}
