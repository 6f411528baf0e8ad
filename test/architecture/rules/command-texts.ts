import { commandNames } from '../../../src/cli/tree/find-command.ts'
import type { Source } from '../source.ts'
import { type Piece, splitCode } from '../split-code.ts'

const WRITTEN_OUT = new RegExp(`\\bgza (?:\\$\\{|(?:${commandNames().join('|')})\\b)`)

/** Files and folders whose texts name commands and are never printed for a caller. */
export const NO_CALLER: Record<string, string> = {
  'src/cli/tree/': 'help names the program itself, and manual pages are made from it',
  'src/cli/render/set-up/completion-script.ts': 'the comments of a script',
  'src/scheduler/demo/demo-shop.ts': 'a file of the demonstration',
  'src/core/size/plan-split.ts': 'the text of a task, which is stored',
  'src/planning/split/change-parts.ts': 'the text of a task, which is stored',
  'src/exchange/setup-client.ts': "the text of a client's configuration",
  'src/core/client-setup/agent-guide.ts': "the text of a client's configuration",
  'src/workspace/config/config-schema.ts': 'the descriptions in the schema of gza.yaml',
}

/** Commands that a text spells out instead of keeping them as data (src/core/sentence.ts). */
export function writtenOutCommands(sources: readonly Source[]): string[] {
  return sources
    .filter(({ path }) => !Object.keys(NO_CALLER).some((place) => path.startsWith(place)))
    .flatMap(({ path, text }) =>
      splitCode(text)
        .filter((piece) => piece.kind === 'text' && WRITTEN_OUT.test(piece.text))
        .map(({ line }) => `${path}:${line}: a command in a text is data: command\`…\` or commandLine\`…\``),
    )
}

/** Templates that name a command which does not exist. */
export function unknownCommands(sources: readonly Source[]): string[] {
  return sources.flatMap(({ path, text }) =>
    splitCode(text).flatMap(({ line, text: template }, at, pieces) => {
      const name = isCommand(pieces[at - 1]) ? (/^`([a-z-]+)/.exec(template)?.[1] ?? null) : null
      return name === null || commandNames().includes(name) ? [] : [`${path}:${line}: there is no command ${name}`]
    }),
  )
}

function isCommand(before: Piece | undefined): boolean {
  return before?.kind === 'code' && /\bcommand(?:Line)?$/.test(before.text)
}
