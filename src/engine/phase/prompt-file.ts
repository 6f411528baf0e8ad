/** A prompt that cannot be an argument is in a file while its agent works. */
import { join } from 'node:path'
import type { Invocation } from '../../agents/agent.ts'
import { PROMPT_FILE } from '../../agents/clients/place-prompt.ts'
import { removeFile } from '../../platform/files/files.ts'
import { replaceFile } from '../../platform/files/replace-file.ts'
import type { Repo } from '../../platform/git/find-repo.ts'

/** Writes the file if the call needs it, and returns the arguments with its path. */
export function placePrompt(repo: Repo, run: string, { argv, promptFile: text }: Invocation): string[] {
  if (text === undefined) return argv
  const path = promptFile(repo, run)
  replaceFile(path, [new TextEncoder().encode(text)])
  return argv.map((word) => word.replaceAll(PROMPT_FILE, () => path))
}

/** Also for the run of a worker that died. */
export function forgetPrompt(repo: Repo, run: string): void {
  removeFile(promptFile(repo, run))
}

/** Outside of every worktree: what is in there would be taken for work. */
export function promptFile({ commonDir }: Repo, run: string): string {
  return join(commonDir, 'gza', 'prompts', `${run}.md`)
}
