import { boxedWords } from '../../../core/boxed-words.ts'
import type { Env } from '../../../platform/git/git.ts'
import { type Captured, runCaptured } from '../../../platform/processes/run-briefly.ts'
import { frameOf } from './frames.ts'
import { type Answer, MOST_ANSWER_BYTES, REFUSALS, type Request } from './protocol.ts'

/** How gza is started outside of the box. Nothing of it comes from inside. */
export interface CallPlace {
  /** gza's own executable, absolute. */
  binary: string
  cwd: string
  env: Env
  limitMs: number
  cancel: AbortSignal
}

/** Makes the call outside of the box. gza itself judges whether it may be made (src/cli/boxed). */
export async function runCall({ binary, ...place }: CallPlace, request: Request): Promise<Answer> {
  const { argv, stdin, ...display } = request
  const words = boxedWords(display, argv)
  const ended = await runCaptured({
    ...{ ...place, argv: [binary, ...words] },
    input: stdin ?? null,
    mostBytes: MOST_ANSWER_BYTES,
  })
  return 'why' in ended ? { refused: REFUSALS.notStarted } : describeEnd(ended, place.limitMs)
}

function describeEnd({ code, out, err, isCut, isLate }: Captured, limitMs: number): Answer {
  const answer = { exit: code ?? 1, out: textOf(out), err: textOf(err) }
  if (isLate) return { ...answer, err: `${answer.err}Error: The call was ended after ${limitMs / 1000} seconds\n` }
  if (code === null) return { ...answer, err: `${answer.err}Error: The call was ended from outside\n` }
  return isCut ? withNotice(answer, ROOM) : fitAnswer(answer)
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
}

type Ended = Extract<Answer, { exit: number }>

/** Escapes make a text longer in a frame than it is. */
function fitAnswer(answer: Ended): Ended {
  return frameOf(answer).length <= MOST_ANSWER_BYTES ? answer : withNotice(answer, ROOM)
}

/** For the notice and for the frame itself. */
const ROOM = MOST_ANSWER_BYTES - 1024

/** Cut, and with an exit code that shows it: what is left of a JSON value is none. */
function withNotice({ out, err }: Ended, room: number): Ended {
  const keptErr = fitText(err, room / 2)
  const keptOut = fitText(out, room - lengthInFrame(keptErr))
  const notice = `Error: The output is longer than ${MOST_ANSWER_BYTES / 1024} KB and was cut\n  Ask for less, for instance with --limit.\n`
  return { exit: 1, out: keptOut, err: keptErr + notice }
}

function fitText(text: string, room: number): string {
  let kept = text
  for (let length = lengthInFrame(kept); length > room; length = lengthInFrame(kept))
    kept = kept.slice(0, Math.floor((kept.length * room) / length) - 1)
  return kept.toWellFormed()
}

function lengthInFrame(text: string): number {
  return Buffer.byteLength(JSON.stringify(text))
}
