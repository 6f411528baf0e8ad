import type { Env } from '../git/git.ts'
import { leaveToRuntime } from '../processes/subreaper.ts'

/** A process in a session of its own, so that Ctrl-C does not reach it, which reads what this one writes to it. */
export interface PipedChild {
  pid: number
  write(text: string): void
  /** It sees the end of its input. */
  end(): void
  /** Null if a signal ended it. */
  exited: Promise<number | null>
}

export interface PipedCall {
  argv: readonly string[]
  cwd: string
  env: Env
  /** A line that it printed, on either output. */
  printed: (line: string, output: 'out' | 'err') => void
}

export function startPiped({ argv, cwd, env, printed }: PipedCall): PipedChild {
  const { BUN_OPTIONS: _options, BUN_BE_BUN: _beBun, ...clean } = env
  const child = Bun.spawn([...argv], {
    ...{ cwd, env: clean, detached: true },
    ...{ stdin: 'pipe', stdout: 'pipe', stderr: 'pipe' },
  })
  const { forget } = leaveToRuntime(child.pid)
  const out = eachLine(child.stdout, (line) => printed(line, 'out'))
  const err = eachLine(child.stderr, (line) => printed(line, 'err'))
  return {
    pid: child.pid,
    write: (text) =>
      unlessGone(() => {
        child.stdin.write(text)
        return child.stdin.flush()
      }),
    end: () => unlessGone(() => child.stdin.end()),
    exited: (async () => {
      await child.exited
      forget()
      // A process that it left running may hold the pipes open.
      await Promise.race([Promise.all([out, err]), Bun.sleep(LATE_OUTPUT_MS)])
      return child.exitCode
    })(),
  }
}

const LATE_OUTPUT_MS = 1000

/** A child that has ended reads nothing more. */
function unlessGone(write: () => unknown): void {
  try {
    void Promise.resolve(write()).catch(() => {})
  } catch {}
}

async function eachLine(stream: ReadableStream<Uint8Array>, received: (line: string) => void): Promise<void> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const bytes of stream) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) received(line)
  }
  if (rest !== '') received(rest)
}
