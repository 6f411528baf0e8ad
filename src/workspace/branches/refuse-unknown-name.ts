import { nearestWord } from '../../core/config/nearest-key.ts'
import { type Command, command, type Sentence, sentence } from '../../core/sentence.ts'
import { briefText } from '../../core/text/shorten.ts'
import { UserError } from '../../core/user-error.ts'
import type { Repo } from '../../platform/git/find-repo.ts'
import { ledgerNames } from '../ledger/read-ledger.ts'
import { branchNames } from './branch-names.ts'

/** A misspelled `--branch` would show no tasks, or hide new ones in a ledger of its own. A branch of a remote is known. */
export function refuseUnknownName(repo: Repo, name: string, call: (() => Command) | undefined): void {
  const branches = branchNames({ repo }, 'branches')
  if (branches.includes(name)) return
  throw new UserError('NO_LEDGER', `There is no branch or ledger ${briefText(name)}${meant(name, branches)}`, {
    hint: call === undefined ? whereTasksAre(ledgerNames({ repo })) : howToCreate(name, call()),
  })
}

function howToCreate(name: string, call: Command): Sentence {
  const line = { command: [...call.command, '--branch', name, '--create'] }
  return sentence`Nothing was changed. To start a ledger with that name: ${line}`
}

export function whereTasksAre(ledgers: readonly string[]): Sentence {
  if (ledgers.length === 0) return command`add "…"`
  const more = ledgers.length > MOST_NAMED ? `, and ${ledgers.length - MOST_NAMED} more` : ''
  return `Tasks are on: ${ledgers
    .slice(0, MOST_NAMED)
    .map((ledger) => briefText(ledger))
    .join(', ')}${more}`
}

const MOST_NAMED = 10

export function meant(name: string, known: readonly string[]): string {
  const near = nearestWord(name, known)
  return near === null ? '' : `; did you mean ${briefText(near)}?`
}
