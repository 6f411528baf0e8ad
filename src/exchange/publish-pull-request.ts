import { putSection } from '../core/documents/marked-section.ts'
import { command, sentence } from '../core/sentence.ts'
import { assertAllowed } from '../core/task/agent-mode.ts'
import { oneLine } from '../core/text/one-line.ts'
import { UserError } from '../core/user-error.ts'
import type { Repo } from '../platform/git/find-repo.ts'
import { readHead, readRef } from '../platform/git/refs.ts'
import { askRemote } from '../platform/git/remote-git.ts'
import { HOOK_CHANGED, mattersOf } from '../state/live/matters.ts'
import { chooseRemote } from '../workspace/choose-remote.ts'
import type { TaskView } from '../workspace/views/views.ts'
import { ledgerRef, type Workspace } from '../workspace/workspace.ts'
import { pullRequestMarkdown, tasksOfBranch } from './describe-pull-request.ts'
import { type Gh, openGh } from './gh.ts'
import { isIncomplete, syncLedgers } from './remote/sync-ledger.ts'

export interface PublishInput {
  action: 'create' | 'update'
  /** By default the branch that is checked out. */
  branch?: string
  base?: string
  title?: string
  draft?: boolean
}

export interface Published {
  result: 'created' | 'updated' | 'unchanged'
  url: string
  branch: string
  markdown: string
}

/**
 * Opens the branch's pull request, or updates the description of the open one. GitHub is asked before anything is
 * pushed: without a login nothing happens at all.
 */
export async function publishPullRequest(ws: Workspace, input: PublishInput): Promise<Published> {
  assertAllowed(`pr --${input.action}`, ws.actor)
  const branch = checkedBranch(ws, input.branch)
  const gh = openGh({ cwd: ws.repo.dir, env: ws.env })
  const markdown = pullRequestMarkdown(ws, branch)
  const open = gh.find(branch)
  if (open === null) {
    if (input.action === 'update') throw noPullRequest(branch)
    return { result: 'created', url: await create(ws, gh, { ...input, branch, markdown }), branch, markdown }
  }
  if (input.action === 'create') await push(ws, branch)
  const body = putSection(open.body, markdown)
  // GitHub returns texts that were written in a browser with Windows line ends.
  const isSame = body.replace(/\r\n/g, '\n') === open.body.replace(/\r\n/g, '\n')
  if (!isSame) gh.setBody(open.number, body)
  return { result: isSame ? 'unchanged' : 'updated', url: open.url, branch, markdown }
}

async function create(
  ws: Workspace,
  gh: Gh,
  input: PublishInput & { branch: string; markdown: string },
): Promise<string> {
  const { branch, markdown, title, draft = false } = input
  const base = input.base ?? gh.defaultBranch()
  if (base === branch)
    throw new UserError('SAME_BRANCH', `${branch} is the target branch of the pull request`, {
      hint: 'git switch to the branch with the work, or name another base: --base NAME',
    })
  await push(ws, branch)
  const named = title ?? titleFor(branch, tasksOfBranch(ws, branch))
  return gh.create({ branch, base, title: named, body: putSection('', markdown), draft })
}

/**
 * The tasks are pushed with the branch, joined with those on the remote. If the remote refuses the tasks, it still gets
 * the work.
 */
async function push(ws: Workspace, branch: string): Promise<void> {
  const remote = chooseRemote(ws, branch)
  refuseChangedHooks(ws)
  await pushBranch(ws.repo, remote, branch)
  if (readRef(ws.repo, ledgerRef(ws.ledger)) === null) return
  try {
    const synced = await syncLedgers(ws, { remote, only: ws.ledger })
    if (isIncomplete(synced))
      ws.warnings.push(sentence`The branch is pushed, but not all of its tasks are. ${command`sync`} tries again`)
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    ws.warnings.push(sentence`The branch is pushed, but its tasks are not: ${error.fact}. ${command`sync`} tries again`)
  }
}

/** The push runs the person's hooks as the person. An agent may have changed those that are files of the tree. */
function refuseChangedHooks({ live, ledger }: Workspace): void {
  const matter = live === null ? undefined : mattersOf(live, ledger).find(({ code }) => code === HOOK_CHANGED)
  if (matter === undefined) return
  const { subject } = matter
  throw new UserError(HOOK_CHANGED, `${subject} changed while an agent ran, and the push would run it`, {
    hint: sentence`Nothing was pushed. Read the file, then: ${command`resolve ${subject} --skip`}`,
  })
}

function checkedBranch({ repo }: Workspace, asked: string | undefined): string {
  const head = readHead(repo)
  const branch = asked ?? (head.kind === 'branch' ? head.branch : undefined)
  if (branch === undefined)
    throw new UserError('DETACHED_HEAD', 'HEAD is detached, so there is no branch for a pull request', {
      hint: 'git switch to the branch, or name it: --branch NAME',
    })
  if (readRef(repo, `refs/heads/${branch}`) !== null) return branch
  throw new UserError('NO_BRANCH', `There is no branch ${branch} with a commit`, { hint: 'git branch --list' })
}

/** The task's own title if there is one task; otherwise the branch's name as a sentence. */
function titleFor(branch: string, tasks: readonly TaskView[]): string {
  const [only, ...others] = tasks
  if (only !== undefined && others.length === 0) return oneLine(only.title)
  const words =
    (branch.split('/').at(-1) ?? branch)
      .replace(/^\d{8}-/, '')
      .replace(/[-_]+/g, ' ')
      .trim() || branch
  return words.charAt(0).toUpperCase() + words.slice(1)
}

function noPullRequest(branch: string): UserError {
  return new UserError('NO_PULL_REQUEST', `${branch} has no open pull request`, { hint: command`pr --create` })
}

/** Pushes a branch forward under its own name, never by force. The person's pre-push hook runs, as long as it takes. */
async function pushBranch(repo: Repo, remote: string, branch: string): Promise<void> {
  const ref = `refs/heads/${branch}`
  const exit = await askRemote(repo, ['push', '--porcelain', '--no-follow-tags', remote, `${ref}:${ref}`])
  if (exit.code === 0) return
  const row = exit.stdout
    .toString()
    .split('\n')
    .find((line) => line.startsWith('!'))
  const why = row?.split('\t')[2] ?? exit.stderr.trim().split('\n').at(-1) ?? ''
  const isBehind = /non-fast-forward|fetch first/.test(why)
  throw new UserError('PUSH_REFUSED', `${remote} refused the push of ${branch}: ${why}`, {
    hint: isBehind
      ? `The remote has commits that are not here. Get them first: git pull ${remote} ${branch}`
      : `Check that git push ${remote} ${branch} works, then run the command again.`,
  })
}
