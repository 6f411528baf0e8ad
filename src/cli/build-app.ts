import { type Application, buildApplication, buildCommand, buildRouteMap, type StricliIntegration } from '@stricli/core'
import type { CallContext, Env } from './call-context.ts'
import type { CliCommand } from './command.ts'
import { type Display, programOf } from './terminal/display.ts'
import { holdForPager } from './terminal/hold-for-pager.ts'
import { ALL_COMMANDS } from './tree/all-commands.ts'
import { throwingTexts } from './usage-errors.ts'
import { VERSION } from './version.ts'

export { joinNegatedFlags } from '../core/filter/negated-flags.ts'

type Judge = (name: string, flags: Record<string, unknown>, args: readonly unknown[]) => void

/**
 * The whole command tree or, with a word, the part that a call starting with this word can need. `judge` is called
 * before a command begins.
 */
export function buildApp(display: Display, word?: string, judge: Judge = () => {}): Application<CallContext> {
  const config = {
    name: display.name,
    scanner: { allowArgumentEscapeSequence: true, distanceOptions: NEAR },
    documentation: { disableAnsiColor: true },
    localization: { text: throwingTexts(programOf(display.name), word) },
  }
  return buildApplication(buildRoot(branchesFor(word), judge), config, {
    help: helpFlag(display),
    version: versionFlag(display),
  })
}

// Git's weights with a lower threshold: with git's 7, any four letters are close to some command.
const NEAR = { threshold: 4, weights: { insertion: 1, deletion: 3, substitution: 2, transposition: 0 } }

/** Only the commands that the word can lead to: building all of them takes 3 ms, and only a mistyped command needs it. */
function branchesFor(word: string | undefined): readonly CliCommand[] {
  if (word?.startsWith('-')) return ALL_COMMANDS.slice(0, 1)
  const called = ALL_COMMANDS.filter(({ name }) => name === word)
  return called.length > 0 ? called : ALL_COMMANDS
}

function buildRoot(commands: readonly CliCommand[], judge: Judge) {
  return buildRouteMap({
    routes: Object.fromEntries(commands.map((command) => [command.name, buildBranch(command, judge)])),
    docs: {
      brief: 'Tasks for AI coding agents, kept in git',
      hideRoute: Object.fromEntries(commands.map(({ name, hidden }) => [name, hidden])),
    },
  })
}

function buildBranch({ name, loader, parameters, brief }: CliCommand, judge: Judge) {
  return buildCommand<Record<string, unknown>, string[], CallContext>({
    loader: async () => {
      const { default: start } = await loader()
      return function judged(this: CallContext, flags: Record<string, unknown>, ...args: string[]) {
        judge(name, flags, args)
        holdForPager(this, flags)
        return start.call(this, flags as never, ...(args as never[]))
      }
    },
    parameters: parameters() as never,
    docs: { brief },
  })
}
function helpFlag(display: Display): StricliIntegration<CallContext> {
  return {
    flag: {
      brief: 'Print help',
      aliases: ['h'],
      global: true,
      complete: true,
      defaultForRouteMap: true,
      async run(_app, { result }) {
        this.process.stdout.write(
          `${(await helpLines((this as CallContext).env, result.prefix[1], display)).join('\n')}\n`,
        )
      },
    },
  }
}

/** An agent gets a short overview: it pays for every word, and most commands are not for it. */
async function helpLines(env: Env, command: string | undefined, display: Display): Promise<string[]> {
  const { agentReader } = await import('./agent-reader.ts')
  if (command === undefined && agentReader(env) !== undefined) {
    const { agentHelp } = await import('./agent-help.ts')
    return agentHelp(display)
  }
  const { helpFor } = await import('./help.ts')
  return helpFor(command, display)
}

function versionFlag(display: Display): StricliIntegration<CallContext> {
  return {
    flag: {
      brief: 'Print the version',
      aliases: ['v'],
      complete: true,
      run() {
        this.process.stdout.write(`${display.name} ${VERSION}\n`)
      },
    },
  }
}
