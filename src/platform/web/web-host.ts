import { systemClock } from '../clock.ts'
import type { Env } from '../git/git.ts'
import { openBrowsers } from './browser.ts'
import { peerProcesses } from './peer-processes.ts'
import { openPreferences } from './preferences-file.ts'
import { askAddress, offerAddress } from './running-servers.ts'
import { serveLoopback } from './serve-loopback.ts'
import { openStartedCommands } from './started-commands.ts'
import { watchRefs } from './watch-refs.ts'

/** Everything outside of the program that the server for browsers uses. `env` is for the browser, `ownEnv` for gza. */
export function webHost(env: Env, ownEnv: Env) {
  return {
    clock: systemClock,
    listen: serveLoopback,
    peers: peerProcesses,
    browser: openBrowsers(env),
    readFile: (path: string) => Bun.file(path).bytes(),
    watchRefs,
    commands: openStartedCommands(ownEnv),
    running: { offer: offerAddress, ask: askAddress },
    preferences: openPreferences(ownEnv),
  }
}
