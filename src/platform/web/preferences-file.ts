import { join } from 'node:path'
import { makePrivateFolder } from '../files/private-folder.ts'
import { readSmallFile } from '../files/read-small-file.ts'
import { replaceFile } from '../files/replace-file.ts'
import { userStateFolder } from '../files/user-folders.ts'
import type { Env } from '../git/git.ts'

/** What a person has chosen for the page. The browser's own store belongs to a port, and the port changes. */
export function openPreferences(env: Env) {
  const folder = join(userStateFolder(env), 'web')
  const path = join(folder, 'preferences.json')
  return {
    read: () => textsIn(readSmallFile(path)),
    write(preferences: Readonly<Record<string, string>>): void {
      if (makePrivateFolder(folder)) replaceFile(path, [Buffer.from(`${JSON.stringify(preferences, null, 2)}\n`)])
    },
  }
}

/** A file that somebody has broken is as good as none. */
function textsIn(text: string | null): Record<string, string> {
  try {
    const known: unknown = JSON.parse(text ?? '{}')
    if (typeof known !== 'object' || known === null) return {}
    return Object.fromEntries(Object.entries(known).filter(([, value]) => typeof value === 'string'))
  } catch {
    return {}
  }
}
