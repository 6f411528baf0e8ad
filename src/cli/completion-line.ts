import { resolve } from 'node:path'

export interface CompletionLine {
  /** The words before the one that is being typed, without what stands before the command. */
  inputs: string[]
  partial: string
  cwd: string
}

/** The words of a shell's half-typed line. Bash gives `--group=x` as three words; the `=` alone is dropped. */
export function readCompletionLine(words: readonly string[], cwd: string): CompletionLine {
  const inputs = words.slice(0, -1).filter((word) => word !== '=')
  const last = words.at(-1) ?? ''
  const { rest, folders } = skipFolders(inputs)
  return { inputs: rest, partial: last === '=' ? '' : last, cwd: resolve(cwd, ...folders) }
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
