import { basename, dirname } from 'node:path'
import { useWorkspace, type Workspace, type WorkspaceOptions } from '../workspace/workspace.ts'

/** A repository that the server shows. Requests name it by its id, never by a path. */
export interface ServedRepository {
  id: string
  name: string
  /** The folder that was given. */
  folder: string
  commonDir: string
  livePath: string
}

type Env = WorkspaceOptions['env']

/** Each once, in the order given. Throws for a folder that is in no repository. */
export async function findRepositories(folders: readonly string[], env: Env): Promise<ServedRepository[]> {
  const found = new Map<string, ServedRepository>()
  for (const folder of folders) {
    const repository = await useWorkspace({ cwd: folder, env, spansLedgers: true }, (ws) => describe(ws, folder))
    if (!found.has(repository.id)) found.set(repository.id, repository)
  }
  return [...found.values()]
}

function describe({ repo, livePath }: Workspace, folder: string): ServedRepository {
  const { commonDir, workTree } = repo
  const top = workTree ?? (basename(commonDir) === '.git' ? dirname(commonDir) : commonDir)
  const id = new Bun.CryptoHasher('sha256').update(commonDir).digest('hex').slice(0, 10)
  return { id, name: basename(top).replace(/\.git$/, ''), folder, commonDir, livePath }
}
