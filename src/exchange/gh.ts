/** GitHub's pull requests through the person's own `gh`: it uses its own login, and no key passes through gza. */

import { z } from 'zod'
import { command, sentence } from '../core/sentence.ts'
import { firstLine } from '../core/text/first-line.ts'
import { UserError } from '../core/user-error.ts'
import { findProgram } from '../platform/files/files.ts'
import type { Env } from '../platform/git/git.ts'
import { type ProgramExit, runProgram } from '../platform/processes/run-program.ts'

export interface PullRequest {
  number: number
  url: string
  body: string
}

export interface Gh {
  /** The default target branch of pull requests. */
  defaultBranch(): string
  /** The open pull request from the branch, if there is one. */
  find(branch: string): PullRequest | null
  /** Its address. */
  create(request: { branch: string; base: string; title: string; body: string; draft: boolean }): string
  setBody(number: number, body: string): void
}

export function openGh({ cwd, env }: { cwd: string; env: Env }): Gh {
  const program = findProgram('gh', env.PATH ?? '')
  if (program === null)
    throw new UserError('NO_GH', 'gh, the command line tool of GitHub, is not on PATH', {
      hint: sentence`Install it from https://cli.github.com, or paste what ${command`pr`} prints.`,
    })
  const call = (args: readonly string[], input?: string): string => {
    const quiet = { ...env, GH_PROMPT_DISABLED: '1', GH_NO_UPDATE_NOTIFIER: '1', NO_COLOR: '1' }
    const exit = runProgram([program, ...args], { cwd, env: quiet, ...(input !== undefined && { input }) })
    if (exit?.code !== 0) throw ghError(args, exit)
    return exit.stdout
  }
  return {
    defaultBranch: () =>
      parseAnswer(viewed, call(['repo', 'view', '--json', 'defaultBranchRef'])).defaultBranchRef.name,
    find: (branch) => {
      const fields = 'number,url,body,isCrossRepository'
      return chooseOpen(call(['pr', 'list', '--head', branch, '--state', 'open', '--json', fields]), branch)
    },
    create: ({ branch, base, title, body, draft }) => {
      const places = ['--head', branch, '--base', base, ...(draft ? ['--draft'] : [])]
      const printed = call(['pr', 'create', ...places, '--title', title, '--body-file', '-'], body)
      return printed.trim().split('\n').at(-1) ?? ''
    },
    setBody: (number, body) => {
      call(['pr', 'edit', String(number), '--body-file', '-'], body)
    },
  }
}

const viewed = z.object({ defaultBranchRef: z.object({ name: z.string() }) })
const listed = z.array(
  z.object({ number: z.int(), url: z.string(), body: z.string(), isCrossRepository: z.boolean().default(false) }),
)

/** An alias or a wrapper with that name may print anything. */
function parseAnswer<T>(schema: z.ZodType<T>, text: string): T {
  try {
    return schema.parse(JSON.parse(text))
  } catch {
    throw new UserError('GH_FAILED', `gh printed an unexpected answer: ${text.trim().slice(0, 80)}`, {
      hint: 'Check that gh pr status works here, then run the command again.',
    })
  }
}

/** Other people's forks may have a branch with the same name: a pull request of this repository comes first. */
function chooseOpen(text: string, branch: string): PullRequest | null {
  const found = parseAnswer(listed, text || '[]')
  const own = found.filter((request) => !request.isCrossRepository)
  const [first, second] = own.length > 0 ? own : found
  if (first === undefined) return null
  if (second === undefined) return { number: first.number, url: first.url, body: first.body }
  throw new UserError('SEVERAL_PULL_REQUESTS', `${branch} has pull requests #${first.number} and #${second.number}`, {
    hint: sentence`Close the unwanted ones, or paste what ${command`pr`} prints.`,
  })
}

/** 4 is gh's exit code for a missing login. */
function ghError(args: readonly string[], exit: ProgramExit | null): UserError {
  const words = exit?.stderr.trim() ?? 'it could not be started'
  if (exit?.code === 4 || /gh auth login/.test(words))
    return new UserError('GH_LOGIN', 'gh is not logged in to GitHub', { hint: 'gh auth login' })
  return new UserError('GH_FAILED', `gh ${args[0]} ${args[1]}: ${firstLine(words) || `exit code ${exit?.code}`}`, {
    hint: 'Check that gh pr status works here, then run the command again.',
  })
}
