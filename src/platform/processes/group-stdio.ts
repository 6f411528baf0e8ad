import type { ChildProcess, StdioOptions } from 'node:child_process'
import { closeSync, openSync, unlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import type { Libc } from './subreaper-libc.ts'

/** One output stream of a group. */
export interface Output {
  /** Passes on every chunk, the next one after `take` has finished, and returns at the end of the stream. */
  read(take: (chunk: Uint8Array) => Promise<void>): Promise<void>
  /** Makes `read` return although a process outside the group still holds the stream open. */
  stop(): void
}

/** A group's three standard descriptors, before it is started. */
export interface GroupStdio {
  childEnds: StdioOptions
  outputsOf(child: ChildProcess): { out: Output; err: Output }
  closeChildEnds(): void
  /** Closes this process's ends, for a group that never started. */
  discard(): void
}

/**
 * Real pipes if possible. The runtime's own are sockets, and with those `echo … > /dev/stderr`, which is common in
 * scripts, fails on Linux.
 */
export function openStdio(libc: Libc | null, stdin: string | undefined): GroupStdio {
  const input = stdin === undefined ? null : openText(stdin)
  const pipes = [libc?.makePipe() ?? null, libc?.makePipe() ?? null] as const
  const ours = pipes.flatMap((pipe) => (pipe ? [pipe.read] : []))
  const theirs = [...(input === null ? [] : [input]), ...pipes.flatMap((pipe) => (pipe ? [pipe.write] : []))]
  const outputOf = (pipe: (typeof pipes)[number], stream: Readable | null): Output =>
    pipe ? pipeOutput(pipe.read) : streamOutput(stream as Readable)
  return {
    childEnds: [input ?? 'ignore', pipes[0]?.write ?? 'pipe', pipes[1]?.write ?? 'pipe'],
    outputsOf: ({ stdout, stderr }) => ({ out: outputOf(pipes[0], stdout), err: outputOf(pipes[1], stderr) }),
    closeChildEnds: () =>
      theirs.forEach((descriptor) => {
        closeSync(descriptor)
      }),
    discard: () =>
      ours.forEach((descriptor) => {
        closeSync(descriptor)
      }),
  }
}

/** A nameless file with the text: it ends by itself, needs no process that keeps writing, and may stay unread. */
function openText(text: string): number {
  const path = join(tmpdir(), `gza-stdin-${crypto.randomUUID()}`)
  writeFileSync(path, text, { flag: 'wx', mode: 0o600 })
  try {
    return openSync(path, 'r')
  } finally {
    unlinkSync(path)
  }
}

function pipeOutput(descriptor: number): Output {
  const reader = Bun.file(descriptor).stream().getReader()
  return {
    read: async (take) => {
      try {
        for (let next = await reader.read(); !next.done; next = await reader.read()) await take(next.value)
      } finally {
        await reader.cancel()
        closeSync(descriptor)
      }
    },
    stop: () => {
      void reader.cancel()
    },
  }
}

function streamOutput(stream: Readable): Output {
  return {
    read: async (take) => {
      try {
        for await (const chunk of stream) await take(chunk)
      } catch (error) {
        if (!stream.destroyed) throw error
      }
    },
    stop: () => {
      stream.destroy()
    },
  }
}
