import { shellQuote } from '../guard/install-guard.ts'

/** The command line with the files in it, each quoted: their names come from a task's text. */
export function withFiles(command: string, files: readonly string[]): string {
  const words = files.map((file) => shellQuote(file.startsWith('-') ? `./${file}` : file)).join(' ')
  return command.includes('{files}') ? command.replaceAll('{files}', () => words) : `${command} ${words}`
}
