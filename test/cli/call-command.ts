import { runCli } from '../../src/cli/run-cli.ts'
import type { Display } from '../../src/cli/terminal/display.ts'
import type { Output } from '../../src/cli/terminal/output.ts'
import { GZA } from './displays.ts'

/** Runs the command line inside the test: for what needs no repository. */
export async function call(argv: string[], display: Display = GZA) {
  const out = keep()
  const err = keep()
  const code = await runCli({
    ...{ argv, cwd: '/', env: {}, display, out, err, warnings: [], clock: Date.now },
    isTerminal: async () => false,
    isTerminalNow: () => false,
    endingSignals: () => [],
    page: async () => ({ kind: 'none' }),
    mcp: async () => ({ serve: async () => {}, answer: async () => '' }),
    web: () => Promise.reject(new Error('no server here')),
    follow: (_from, folders) => ({ folder: folders.at(-1) ?? '/', exists: false }),
  })
  return { code, out: out.text(), err: err.text() }
}

function keep(): Output & { text(): string } {
  let kept = ''
  return {
    write: (text) => {
      kept += text
    },
    writeBytes: (bytes) => {
      kept += bytes.toString()
    },
    flush: () => {},
    finish: async () => {},
    hold: () => {},
    text: () => kept,
  }
}
