import { command, sentence } from '../../core/sentence.ts'
import { assertAllowed } from '../../core/task/agent-mode.ts'
import { UserError } from '../../core/user-error.ts'
import { assertTaken, pushLedgers } from '../../ledger/push-ledgers.ts'
import { fetchLedgers } from '../../ledger/remote.ts'
import { judgeHistory } from '../../ledger/verify/first-bad-commit.ts'
import { tryGit } from '../../platform/git/git.ts'
import { readRef } from '../../platform/git/refs.ts'
import { leaveOut } from '../../tasks/leave-out-commit.ts'
import { chooseRemote } from '../../workspace/choose-remote.ts'
import { acceptedCommits } from '../../workspace/legal/accepted-commits.ts'
import { ledgerRef, type Workspace } from '../../workspace/workspace.ts'

/** Each round takes in what the remote has by then. */
const ROUNDS = 5

/**
 * Publishes the present ledger without a bad commit, in place of exactly the history that was fetched. Nothing of the
 * other ledgers changes here.
 */
export async function publishWithout(
  ws: Workspace,
  { remote: named, without }: { remote?: string | undefined; without: string },
): Promise<void> {
  assertAllowed('sync', ws.actor)
  const remote = chooseRemote(ws, ws.namedLedger, named)
  let refused: string | null = null
  for (let round = 0; round < ROUNDS; round++) {
    const theirs = (await fetchLedgers(ws.repo, remote)).get(ws.ledger) ?? null
    const commit = badCommitNamed(ws, without, theirs)
    const tips = [readRef(ws.repo, ledgerRef(ws.ledger)), theirs].filter((tip) => tip !== null)
    const tip = leaveOut(ws, ws.ledger, { commit, tips: [...new Set(tips)] })
    if (theirs === null || theirs === tip) return
    const pushed = await pushLedgers(ws.repo, remote, new Map([[ws.ledger, tip]]), new Map([[ws.ledger, theirs]]))
    assertTaken(remote, pushed)
    if (pushed.raced.size === 0) return
    if (theirs === refused) throw noForce(ws, remote)
    refused = theirs
  }
  throw new UserError('SYNC_RACE', `${remote} was moved by others ${ROUNDS} times in a row`, {
    hint: sentence`The local ledger continues without it. Run ${command`sync --without ${without}`} again.`,
  })
}

/** The remote has not moved, and refused all the same. */
function noForce({ ledger }: Workspace, remote: string): UserError {
  return new UserError('PUSH_REFUSED', `${remote} does not let anyone replace the history of refs/tasks/${ledger}`, {
    hint: 'The local ledger continues without the commit. The owner of the remote must allow forced pushes of refs/tasks/*.',
  })
}

/** Only an illegal commit can be left out: everything else is somebody's work. */
function badCommitNamed(ws: Workspace, name: string, theirs: string | null): string {
  const exit = tryGit(ws.repo, ['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`])
  const commit = exit.stdout.toString().trim()
  const tips = [readRef(ws.repo, ledgerRef(ws.ledger)), theirs].filter((tip) => tip !== null)
  const accepted = acceptedCommits(ws)
  const isBad = (to: string) =>
    judgeHistory(ws.repo, { from: null, to, accepted }).problems.some((problem) => problem.commit === commit)
  if (exit.code === 0 && tips.some(isBad)) return commit
  throw new UserError('NOT_ILLEGAL', `${name} is not an illegal commit of ${ws.ledger}`, {
    hint: sentence`Nothing was changed. ${command`verify`} names the first bad commit; --branch NAME means another ledger.`,
  })
}
