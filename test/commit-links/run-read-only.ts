import { appendFileSync, chmodSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Repo, Result } from '../support/repo.ts'

/**
 * Runs gza as someone who may read the repository and not write it. Root may write anything, so root becomes the
 * user nobody for it; every other user takes the right from themselves and gives it back.
 */
export function readOnly(repo: Repo, ...args: string[]): Result {
  return process.getuid?.() === 0 ? asNobody(repo, args) : withoutRight(repo, args)
}

const NOBODY = '65534'

function asNobody(repo: Repo, args: string[]): Result {
  chmodSync(dirname(repo.dir), 0o755)
  appendFileSync(join(repo.env.HOME!, '.gitconfig'), '[safe]\n\tdirectory = *\n')
  const nobody = ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups']
  return repo.run([...nobody, 'gza', ...args])
}

function withoutRight(repo: Repo, args: string[]): Result {
  repo.run(['chmod', '-R', 'a-w', '.'])
  try {
    return repo.gza(...args)
  } finally {
    repo.run(['chmod', '-R', 'u+w', '.'])
  }
}
