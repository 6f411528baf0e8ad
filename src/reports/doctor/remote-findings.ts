/** What `doctor`, `status` and `init` say about remotes: what is not there, not here, or in danger. */
import { command, type Sentence, sentence } from '../../core/sentence.ts'
import { plural } from '../../core/text/plural.ts'
import { countLedgersOn } from '../../ledger/remote-heads.ts'
import { readUnsynced, type Unsynced } from '../../ledger/unsynced-changes.ts'
import { tryGit } from '../../platform/git/git.ts'
import { lossWords, lostTips } from '../../workspace/lost/lost-tips.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { type Finding, fail, ok, warn } from './finding.ts'

/** The findings of `doctor`. */
export async function checkRemotes(ws: Workspace): Promise<Finding[]> {
  return [...checkLost(ws), ...checkRefspecs(ws), ...(await checkUnsynced(ws))]
}

/** The lines that `status` prints after the tasks. */
export async function remoteNotes(ws: Workspace): Promise<Sentence[]> {
  const unsynced = readUnsynced(ws.repo, ws.namedLedger)
  const lost = lostTips(ws.repo).map(
    ({ ledger, tip }) => sentence`${ledger} has lost the changes up to ${tip.slice(0, 7)}: ${command`restore --lost`}`,
  )
  if (unsynced === null) return lost
  if (unsynced.isFresh) return [...lost, ...(await missingHere(ws, unsynced))]
  return unsynced.changes === 0 ? lost : [...lost, sentence`${notThere(unsynced)}: ${command`sync`}`]
}

/** For a clone that has no ledger: asks the remote whether it has some. Briefly, and without a password. */
export async function missingHere(ws: Workspace, known?: Unsynced): Promise<Sentence[]> {
  const unsynced = known ?? readUnsynced(ws.repo, ws.namedLedger)
  if (!unsynced?.isFresh) return []
  const ledgers = await countLedgersOn(ws.repo, unsynced.remote)
  if (ledgers === null || ledgers === 0) return []
  return [sentence`${unsynced.remote} has tasks (of ${plural(ledgers, 'branch')}) that are not here: ${command`sync`}`]
}

function notThere({ changes, remote }: Unsynced): string {
  return `${plural(changes, 'change')} of tasks ${changes === 1 ? 'is' : 'are'} not on ${remote} yet`
}

async function checkUnsynced(ws: Workspace): Promise<Finding[]> {
  const unsynced = readUnsynced(ws.repo, ws.namedLedger)
  if (unsynced === null) return []
  if (unsynced.changes > 0) return [ok('sync', notThere(unsynced))]
  const missing = await missingHere(ws, unsynced)
  if (missing.length > 0) return [warn('sync', `${unsynced.remote} has tasks that are not here`, command`sync`)]
  return unsynced.isFresh ? [] : [ok('sync', `${unsynced.remote} has every change`)]
}

function checkLost(ws: Workspace): Finding[] {
  return lostTips(ws.repo).map((loss) => fail('lost', lossWords(loss), command`restore --lost`))
}

/** What plain git would do to ledgers on its own, before it happens. */
function checkRefspecs({ repo }: Workspace): Finding[] {
  const rows = tryGit(repo, ['config', '-z', '--get-regexp', '^remote\\..*\\.(fetch|push|mirror)$']).stdout.toString()
  return rows
    .split('\0')
    .filter(Boolean)
    .flatMap((row) => {
      const [name = '', value = ''] = row.split('\n')
      const [, remote = '', kind = ''] = /^remote\.(.*)\.(\w+)$/.exec(name) ?? []
      return dangerOf(remote, kind, value)
    })
}

function dangerOf(remote: string, kind: string, value: string): Finding[] {
  const name = `remote ${remote}`
  if (kind === 'fetch' && isOverLedgers(value))
    return [
      warn(
        name,
        `git fetch puts the tasks of ${remote} over those here, by ${value}: changes that are not synced are lost`,
        sentence`Remove that line with git config --edit; ${command`sync`} fetches and joins. In a mirror, sync before each fetch.`,
      ),
    ]
  if (kind === 'push' && value.startsWith('+') && isOverLedgers(value))
    return [
      warn(
        name,
        `git push puts the tasks here over those of ${remote}, by ${value}: changes of others are lost`,
        sentence`Remove that line with git config --edit; ${command`sync`} joins and pushes.`,
      ),
    ]
  if (kind === 'mirror' && value === 'true')
    return [
      warn(
        name,
        `it is a mirror: git push ${remote} deletes the tasks there that are not here, and puts yours over the others`,
        sentence`Use ${command`sync ${remote}`} for tasks, and push branches by name.`,
      ),
    ]
  return []
}

/** Does the right side of a refspec name ledgers? */
function isOverLedgers(refspec: string): boolean {
  const target = refspec.replace(/^\+/, '').split(':')[1] ?? ''
  const [before = '', after] = target.split('*')
  return before.startsWith('refs/tasks/') || (after !== undefined && 'refs/tasks/'.startsWith(before))
}
