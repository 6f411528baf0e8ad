import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { decodeUtf8 } from '../../core/text/decode-utf8.ts'
import { UserError } from '../../core/user-error.ts'
import { type GitPlace, tryGit } from '../git/git.ts'

/** A text that the user wrote, kept on disk until the caller has used it. */
export interface Draft {
  text: string
  path: string
  discard(): void
}

/** Opens the user's editor, the one git would open, on `initial`; `note` is below a line that ends the text. */
export function editDraft(place: GitPlace, initial: string, note: string): Draft {
  const path = join(mkdtempSync(join(tmpdir(), 'gza-')), 'TASK.md')
  const discard = (): void => rmSync(dirname(path), { recursive: true, force: true })
  writeFileSync(path, `${initial}\n\n${SCISSORS}\n# ${note}\n`)
  const why = whyEditorFailed(place, path)
  const text = aboveScissors(readDraft(path))
  if (why === null) return { text, path, discard }
  const isUsed = text !== '' && text !== initial.trimEnd()
  if (!isUsed) discard()
  const hint = isUsed ? `Nothing was changed. Your text is kept in ${path}` : 'Nothing was changed.'
  throw new UserError('EDITOR_FAILED', why, { hint })
}

/** An editor may remove its file; that counts as an empty text. */
function readDraft(path: string): string {
  const text = existsSync(path) ? decodeUtf8(readFileSync(path)) : ''
  if (text !== null) return text
  throw new UserError('NOT_UTF8', 'The text is not UTF-8', { hint: `Nothing was changed. It is kept in ${path}` })
}

// A line to cut at, like git's, instead of a comment character: headings of a markdown text start with one.
const SCISSORS = '# ------------------------ >8 ------------------------'

function aboveScissors(text: string): string {
  return (text.split(SCISSORS, 1)[0] ?? '').replace(/^\s*\n/, '').trimEnd()
}

function whyEditorFailed(place: GitPlace, path: string): string | null {
  const editor = editorCommand(place)
  // Ctrl-C in the editor is for the editor.
  const ignore = (): void => {}
  process.on('SIGINT', ignore)
  try {
    const child = spawnSync('sh', ['-c', `${editor} "$@"`, editor, path], {
      cwd: place.dir,
      env: withoutRuntime(place.env),
      stdio: 'inherit',
    })
    if (child.error) return `The editor ${editor} ${child.error.message}`
    return child.status === 0 ? null : `The editor ${editor} ended with an error`
  } finally {
    process.off('SIGINT', ignore)
  }
}

/** GIT_EDITOR, core.editor, VISUAL, EDITOR, and git's own default, in git's order. */
function editorCommand(place: GitPlace): string {
  const exit = tryGit(place, ['var', 'GIT_EDITOR'])
  const editor = exit.stdout.toString().trim()
  if (exit.code === 0 && editor !== '') return editor
  throw new UserError('NO_EDITOR', 'No editor is set for this terminal', {
    hint: 'Set EDITOR, or give the text as an argument or on standard input.',
    exitCode: 2,
  })
}

function withoutRuntime(env: GitPlace['env']): NodeJS.ProcessEnv {
  const { BUN_OPTIONS: _options, BUN_BE_BUN: _beBun, ...rest } = env
  return rest
}
