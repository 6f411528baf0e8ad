import { callName } from './cli/call-name.ts'
import { type Call, report, runCli } from './cli/run-cli.ts'
import { openOutput } from './cli/terminal/output.ts'
import { chooseStyle } from './cli/terminal/style.ts'
import { BOXED, DEMO_AGENT, KEEP } from './core/boxed-words.ts'
import { systemClock } from './platform/clock.ts'
import { followFolders } from './platform/files/follow-folders.ts'
import { endingSignals, endProcess } from './platform/processes/ending-signals.ts'
import { isTerminal, isTerminalNow, NO_TERMINAL, terminalSize } from './platform/terminal/terminal.ts'
import { standardOutput } from './platform/terminal/write-descriptor.ts'

const { env } = process

// First of all: the program that this process becomes has to find everything as it was.
const launcher = process.argv[2]
if (launcher === '__landlock' || launcher === '__box') {
  const report = (why: string): void => standardOutput(2).writeAll(Buffer.from(why))
  const launch =
    launcher === '__box'
      ? (await import('./engine/isolation/box/mount-box.ts')).launchInBox
      : (await import('./engine/isolation/box/launch-restricted.ts')).launchRestricted
  process.exit(await launch(process.argv.slice(3), env, report))
}

// In a box, where an agent's work is kept: nothing of the command line is needed.
if (process.argv[2] === KEEP) {
  const { keepInside } = await import('./engine/isolation/agent-box/keep-inside.ts')
  standardOutput(1).writeAll(Buffer.from(await keepInside(process.cwd(), env, process.argv[3] ?? '')))
  process.exit(0)
}

const name = callName(process.argv0, env.GZA_INVOKED_AS)
// Processes that this one starts must not inherit the name.
delete env.GZA_INVOKED_AS

const isShown = await isTerminal(1)
const call: Call = {
  argv: process.argv.slice(2),
  cwd: process.cwd(),
  env,
  display: { name, style: chooseStyle(isShown, env), ...(isShown ? await terminalSize(1) : NO_TERMINAL) },
  out: openOutput(standardOutput(1)),
  err: openOutput(standardOutput(2)),
  warnings: [],
  isTerminal,
  isTerminalNow,
  endingSignals,
  clock: systemClock,
  follow: followFolders,
  page: (place, parts) => import('./platform/terminal/run-pager.ts').then(({ runPager }) => runPager(place, parts)),
  mcp: async () => {
    const { standardInput } = await import('./platform/terminal/standard-input.ts')
    const { openFace } = await import('./mcp/face.ts')
    return openFace({ input: standardInput(), write: standardOutput(1).writeLater })
  },
  web: async (ownEnv = env) => {
    const { webHost } = await import('./platform/web/web-host.ts')
    const { openFace } = await import('./web/face.ts')
    return openFace(webHost(env, ownEnv))
  },
}

// Bun reports an unhandled rejection only to the second handler. Without it the exit code would be 1, not 70.
process.on('uncaughtException', (error) => process.exit(report(error, call)))
process.on('unhandledRejection', (error) => process.exit(report(error, call)))

endProcess(await start())

async function start(): Promise<number> {
  // Inside a box, where nothing of the repository can be seen.
  if (env.GZA_BROKER && call.argv[0] !== DEMO_AGENT) return (await import('./cli/boxed/ask-broker.ts')).askBroker(call)
  // The same call outside of the box.
  if (call.argv[0] === BOXED) {
    const { boxedCall, reportPageCall } = await import('./cli/boxed/boxed-call.ts')
    await reportPageCall(call)
    return runCli(boxedCall(call))
  }
  return runCli(call)
}
