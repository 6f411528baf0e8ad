import { UserError } from '../../core/user-error.ts'

/** Buffered text for one file descriptor. */
export interface Output {
  write(text: string): void
  writeBytes(bytes: Uint8Array): void
  /** When it returns, every byte is written. */
  flush(): void
  /** The same at the end of a call. */
  finish(): Promise<unknown> | undefined
  /** Keeps everything back until `finish`, which may leave it to `pager`. `flush` writes it without. */
  hold(pager: Pager): void
}

/** Shows a text that does not fit on the screen. */
export interface Pager {
  isNeeded(text: string): boolean
  /** False if nothing was shown. */
  show(parts: readonly Uint8Array[]): Promise<boolean>
}

/** Where the bytes go. */
interface Destination {
  writeAll(bytes: Uint8Array): void
  /** Faster, for at most `few` bytes. */
  writeFew(content: string | Uint8Array): Promise<unknown>
  few: number
}

/** Thrown when the reader has closed the pipe, as `| head -1` does. It is not an error: there is nothing left to do. */
export class ReaderGone extends Error {}

export const CHUNK = 64 * 1024

export function openOutput(destination: Destination): Output {
  let pending = ''
  let closed = false
  let held: { pager: Pager; parts: Uint8Array[] } | null = null
  const takePending = (): Uint8Array => {
    const text = pending
    pending = ''
    // Not Buffer.from: the first Buffer of a process takes 0.2 ms.
    return new TextEncoder().encode(text)
  }
  const fail = (error: unknown): never => {
    closed = true
    throw explained(error)
  }
  const writeOut = (bytes: Uint8Array): void => {
    if (held !== null) held.parts.push(bytes)
    if (held !== null || closed || bytes.length === 0) return
    try {
      destination.writeAll(bytes)
    } catch (error) {
      fail(error)
    }
  }
  const passOn = (): void => writeOut(takePending())
  const flush = (): void => {
    const parts = held?.parts ?? []
    held = null
    for (const bytes of parts) writeOut(bytes)
    passOn()
  }
  const showHeld = async ({ pager, parts }: NonNullable<typeof held>): Promise<void> => {
    const all = [...parts, takePending()]
    if (!(await pager.show(all))) for (const bytes of all) writeOut(bytes)
  }
  const finish = (): Promise<unknown> | undefined => {
    const kept = held
    held = null
    if (kept !== null && (kept.parts.length > 0 || kept.pager.isNeeded(pending))) return showHeld(kept)
    if (pending === '') return undefined
    // Mostly the text is so short that it need not be encoded here: a character takes up to three bytes.
    const content = pending.length * 3 <= destination.few ? pending : new TextEncoder().encode(pending)
    pending = ''
    if (closed) return undefined
    if (content.length <= destination.few) return destination.writeFew(content).catch(fail)
    writeOut(content as Uint8Array)
    return undefined
  }
  return {
    write(text) {
      pending += text
      if (pending.length >= CHUNK) passOn()
    },
    writeBytes(bytes) {
      passOn()
      writeOut(bytes)
    },
    flush,
    finish,
    hold: (pager) => {
      held = { pager, parts: [] }
    },
  }
}

/**
 * For work that must not break off because nobody reads its output any more, or because the terminal is gone: what
 * cannot be written is dropped.
 */
export function lastingOutputs({ out, err }: Record<'out' | 'err', Output>): Record<'out' | 'err', Output> {
  return { out: lastingOutput(out), err: lastingOutput(err) }
}

function lastingOutput(output: Output): Output {
  const attempt = (write: () => void): void => {
    try {
      write()
    } catch (error) {
      if (!(error instanceof ReaderGone || (error instanceof UserError && error.code === OUTPUT_FAILED))) throw error
    }
  }
  return {
    ...output,
    write: (text) => attempt(() => output.write(text)),
    writeBytes: (bytes) => attempt(() => output.writeBytes(bytes)),
    flush: () => attempt(output.flush),
  }
}

const OUTPUT_FAILED = 'OUTPUT_FAILED'

function explained(error: unknown): Error {
  const { code, message } = error as { code?: string; message: string }
  if (code === 'EPIPE') return new ReaderGone()
  return new UserError(OUTPUT_FAILED, `The output could not be written: ${message}`, {
    hint: 'What the command had to do is done; only its answer is lost.',
  })
}
