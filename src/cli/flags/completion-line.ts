import { resolve } from 'node:path'

export interface CompletionLine {
  /** The words before the one that is being typed, beginning with the command. */
  inputs: string[]
  partial: string
  /** The beginning of the last word that every candidate repeats, such as `--group=`. */
  before: string
  cwd: string
}

/** The words of a line that is being typed. Bash splits `--group=x` into three words, and its `=` is dropped. */
export function readCompletionLine(words: readonly string[], cwd: string, home?: string): CompletionLine {
  const { rest, folders } = skipFolders(words.slice(0, -1).filter((word) => word !== '='))
  const last = words.at(-1) ?? ''
  const [before = '', flag] = /^(--[a-z][a-z-]*)=/.exec(last) ?? []
  return {
    inputs: flag === undefined ? rest : [...rest, flag],
    partial: last === '=' ? '' : last.slice(before.length),
    before,
    cwd: resolve(cwd, ...folders.map((folder) => folder.replace(/^~(?=\/|$)/, home ?? '~'))),
  }
}

function skipFolders(inputs: string[]): { rest: string[]; folders: string[] } {
  const folders: string[] = []
  let at = 0
  while (inputs[at] === '-C' || inputs[at] === '--cwd') {
    folders.push(inputs[at + 1] ?? '.')
    at += 2
  }
  return { rest: inputs.slice(at), folders }
}
