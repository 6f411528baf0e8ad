import { type OwnCommit, type UndoOrder, undoOrder } from '../../core/ledger/undo-order.ts'
import { command, sentence } from '../../core/sentence.ts'
import { UserError } from '../../core/user-error.ts'
import { type Move, readMoves } from '../../ledger/read-history.ts'
import { readRef } from '../../platform/git/refs.ts'
import { ledgerRef, type Workspace } from '../../workspace/workspace.ts'
import { WITH_WHOLE } from '../move/move-tasks.ts'

/** What this clone did with its ledger. */
export interface OwnHistory {
  /** Every commit that was made here, facts of runs and joins included. */
  commits: ReadonlyMap<string, OwnCommit>
  order: UndoOrder
}

/** More commands than anybody takes back. An older commit counts as somebody else's. */
const LAST_MOVES = 2000

/**
 * Read from the ledger's reflog, which git keeps for each clone and never exchanges: it names each commit that was made
 * here, and a name or a clock cannot be mistaken for it. Without it nothing is known to be from here, so nothing is
 * undone.
 */
export function readOwnHistory(ws: Workspace): OwnHistory {
  const ref = ledgerRef(ws.ledger)
  const moves = readRef(ws.repo, ref) === null ? null : readMoves(ws.repo, ref, LAST_MOVES)
  if (moves === null) return { commits: new Map(), order: undoOrder([]) }
  if (moves.length === 0) throw noReflog(ref)
  const made = withEarlierNames(ws, ws.ledger, moves)
  return { commits: new Map(made.map((move) => [move.commit, move])), order: undoOrder(made) }
}

/**
 * What was made here, oldest first. The tasks of a renamed branch were carried over from the ledger of its old name: what
 * was made there until then comes before.
 */
function withEarlierNames(
  ws: Workspace,
  ledger: string,
  moves: readonly Move[],
  later: readonly string[] = [],
): OwnCommit[] {
  const made = moves.filter(isMadeHere).reverse()
  return made.flatMap((move) => {
    const [, from = '', to] = CARRIED.exec(move.subject) ?? []
    const own = { ...move, ledger }
    if (to !== ledger || later.includes(from) || readRef(ws.repo, ledgerRef(from)) === null) return [own]
    const before = withEarlierNames(ws, from, readMoves(ws.repo, ledgerRef(from), LAST_MOVES), [...later, ledger])
    const end = before.findLastIndex(({ subject }) => subject === move.subject)
    return [...before.slice(0, end + 1), own]
  })
}

const CARRIED = new RegExp(`^carry over (?!.* ${WITH_WHOLE} from ).+ from (\\S+) to (\\S+)$`)

/** A write names its own commit. A sync, a fetch, a push from elsewhere or a restored ref names something else. */
function isMadeHere({ subject, message }: Move): boolean {
  return spaced(message) === spaced(`gza: ${subject}`)
}

/** Git joins spaces in a reflog. */
function spaced(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

function noReflog(ref: string): UserError {
  return new UserError('NO_REFLOG', `It is not known which commands were given in this clone: ${ref} has no reflog`, {
    hint: sentence`Nothing was changed. ${command`log`} shows every change; ${command`restore`} shows deleted tasks.`,
  })
}
