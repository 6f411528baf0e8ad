import { quickStat } from './quick-stat.ts'
import { nodePath } from './slow-modules.ts'

/** The folder that these lead to, one after the other, and whether it exists. */
export function followFolders(from: string, folders: readonly string[]): { folder: string; exists: boolean } {
  const folder = nodePath().resolve(from, ...folders)
  return { folder, exists: quickStat(folder)?.kind === 'folder' }
}
