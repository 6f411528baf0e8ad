import type { LineComment } from '../../core/review/review-text.ts'
import { UserError } from '../../core/user-error.ts'
import type { Repo } from '../../platform/git/find-repo.ts'
import { tryGit } from '../../platform/git/git.ts'
import type { WorkRange } from '../../workspace/ledger/landed-range.ts'

/** A comment as a person gives it: what the lines say is read from the commit. */
export type GivenComment = Omit<LineComment, 'quote'>

/** More lines than this are named, but not quoted. */
const MOST_QUOTED = 20
const LONGEST = 400

/** The comments with the lines that they are about. Refuses a line that is not there. */
export function quotedComments(repo: Repo, range: WorkRange, comments: readonly GivenComment[]): LineComment[] {
  const files = new Map<string, string[] | null>()
  return comments.map((comment) => {
    const { file, side, line, end_line } = comment
    const commit = side === 'old' ? range.from : range.to
    const name = `${commit}:${file}`
    if (!files.has(name)) files.set(name, linesOf(repo, name))
    const lines = files.get(name) ?? null
    if (lines === null || line < 1 || end_line < line || end_line > lines.length)
      throw noSuchLine(comment, commit, lines)
    const quote = lines.slice(line - 1, Math.min(end_line, line - 1 + MOST_QUOTED)).map(brief)
    return { file, side, line, end_line, quote, text: comment.text }
  })
}

/** Null: the commit has no such file. */
function linesOf(repo: Repo, name: string): string[] | null {
  const exit = tryGit(repo, ['cat-file', 'blob', name])
  if (exit.code !== 0) return null
  return exit.stdout.toString().replace(/\n$/, '').split(/\r?\n/)
}

function brief(line: string): string {
  return line.length <= LONGEST ? line.trimEnd() : `${line.slice(0, LONGEST)}…`
}

function noSuchLine({ file, end_line }: GivenComment, commit: string, lines: readonly string[] | null): UserError {
  const what = lines === null ? 'is not there' : `has no line ${end_line}`
  return new UserError('NO_SUCH_LINE', `${file} ${what} at ${commit.slice(0, 10)}`, { hint: 'Nothing was saved.' })
}
