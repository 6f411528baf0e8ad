import { printable } from '../../../core/text/printable.ts'
import { sshTunnel } from '../../../core/text/ssh-tunnel.ts'
import type { CallContext, GlobalFlags } from '../../call-context.ts'
import { listenForStop } from '../../terminal/listen-for-stop.ts'
import { lastingOutputs } from '../../terminal/output.ts'
import { VERSION } from '../../version.ts'

interface Flags extends GlobalFlags {
  port?: number
  'no-open': boolean
  'read-only': boolean
  repo?: readonly string[]
}

/** A port that an agent's server had once may still be answered by what that server left in the browser. */
const FIXED_PORT =
  'Warning: with --port the page has an address that another program may have used, and what that program left in the ' +
  'browser can act there. Without --port, each start has a new address.'

export default async function web(this: CallContext, flags: Flags): Promise<void> {
  const { out, err } = lastingOutputs(this)
  const print = (line: string): void => {
    out.write(`${line}\n`)
    out.flush()
  }
  const report = (sentence: string): void => {
    err.write(`${printable(sentence)}\n`)
    err.flush()
  }
  if (flags.port !== undefined) report(FIXED_PORT)
  const signals = listenForStop(this, () => {}, 'Stopping.')
  const { serve } = await this.web()
  const { cwd, env, follow } = this
  await serve({
    folders: flags.repo?.map((folder) => follow(cwd, [folder]).folder) ?? [cwd],
    env,
    version: VERSION,
    port: flags.port ?? 0,
    readOnly: flags['read-only'],
    isOpening: !flags['no-open'] && !flags.json,
    stop: signals.stop,
    report,
    opened: (address, { inBrowser, already }) => {
      if (flags.json) return print(JSON.stringify({ address, already }))
      print(`${already ? 'This repository is shown already' : 'Serving'}: ${address}`)
      if (!inBrowser) print('Open it in a browser within a minute. It works once.')
      print(`From another machine: ${sshTunnel(address)}`)
      if (!already) print('Ctrl-C stops it.')
    },
  })
  signals.release()
}
