import { callName } from './cli/call-name.ts'
import { type Call, report, runCli } from './cli/run-cli.ts'
import { openOutput } from './cli/terminal/output.ts'
import { chooseStyle } from './cli/terminal/style.ts'
import { systemClock } from './platform/clock.ts'
import { followFolders } from './platform/files/follow-folders.ts'
import { endingSignals } from './platform/processes/ending-signals.ts'
import { isTerminal, terminalWidth } from './platform/terminal/terminal.ts'
import { standardOutput } from './platform/terminal/write-descriptor.ts'

const { env } = process
const name = callName(process.argv0, env.GZA_INVOKED_AS)
// Processes that this one starts must not inherit the name.
delete env.GZA_INVOKED_AS

const isShown = await isTerminal(1)
const call: Call = {
  argv: process.argv.slice(2),
  cwd: process.cwd(),
  env,
  display: { name, style: chooseStyle(isShown, env), width: isShown ? await terminalWidth(1) : null },
  out: openOutput(standardOutput(1)),
  err: openOutput(standardOutput(2)),
  warnings: [],
  isTerminal,
  endingSignals,
  clock: systemClock,
  follow: followFolders,
}

// Bun reports an unhandled rejection only to the second handler. Without it the exit code would be 1, not 70.
process.on('uncaughtException', (error) => process.exit(report(error, call)))
process.on('unhandledRejection', (error) => process.exit(report(error, call)))

process.exit(await runCli(call))
