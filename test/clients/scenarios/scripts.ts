import type { Script } from '../model-script.ts'

export const COMMITS: Script = {
  turns: [{ run: 'echo made > made.txt && git add made.txt && git commit -qm "Make the file"' }],
  closing: 'The file is made and committed.',
}

/** Two answers of the model. */
export const SPENT = { tokens_in: 200, tokens_out: 20 }
