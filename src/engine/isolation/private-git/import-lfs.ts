import { join } from 'node:path'
import { copyVerified } from '../../../platform/files/untrusted/copy-verified.ts'
import { readBelow } from '../../../platform/files/untrusted/read-below.ts'
import type { Repo } from '../../../platform/git/find-repo.ts'
import { lfsFolder } from './local-settings.ts'
import { gitIn, type PrivateGit } from './private-git.ts'

/**
 * Copies the LFS objects that an agent's commits have added, each only if its content has the SHA-256 that it is named
 * after. Returns the names of the others.
 */
export function importLfs(repo: Repo, { folder }: PrivateGit): string[] {
  const git = gitIn(folder)
  const target = join(lfsFolder(repo), 'objects')
  return foldersIn(git, OBJECTS).flatMap((first) =>
    foldersIn(git, [...OBJECTS, first]).flatMap((second) =>
      foldersIn(git, [...OBJECTS, first, second]).filter((oid) => {
        const names = [...OBJECTS, first, second, oid]
        const isNamed = /^[0-9a-f]{64}$/.test(oid) && oid.startsWith(`${first}${second}`)
        return !isNamed || !copyVerified({ root: git, names }, join(target, first, second, oid), oid)
      }),
    ),
  )
}

const OBJECTS = ['lfs', 'objects']
const MOST = 20_000

function foldersIn(git: string, names: readonly string[]): string[] {
  const found = readBelow(git, names, MOST)
  return found.kind === 'folder' ? found.names : []
}
