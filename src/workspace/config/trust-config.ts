/** Configuration that can execute something takes effect only after a person has trusted exactly these bytes. */

import { join, relative } from 'node:path'
import { executableParts } from '../../core/config/executable-parts.ts'
import type { Config } from '../../core/config/settings.ts'
import { command, sentence } from '../../core/sentence.ts'
import { assertAllowed } from '../../core/task/agent-mode.ts'
import { UserError } from '../../core/user-error.ts'
import { listFiles, readTextIfThere, writeText } from '../../platform/files/files.ts'
import { userStateFolder } from '../../platform/files/user-folders.ts'
import type { Workspace } from '../workspace.ts'
import { CONFIG_FILE } from './configured-ledger.ts'

export interface TrustedFile {
  file: string
  hash: string
  trusted: boolean
}

export function trustConfig(ws: Workspace, options: { show?: boolean; revoke?: boolean } = {}): TrustedFile[] {
  const files = executableConfig(ws)
  if (options.show) return files
  assertAllowed('trust', ws.actor)
  if (files.length === 0 && !options.revoke) {
    throw new UserError('NOTHING_TO_TRUST', 'There is no configuration here that could run commands', {
      hint: `gza reads ${CONFIG_FILE}, .project-config.json and .gza/prompts/`,
    })
  }
  const known = readTrust(ws)
  for (const { file, hash } of files) {
    const key = trustKey(ws, file)
    if (options.revoke) known.delete(key)
    else known.set(key, hash)
  }
  writeText(trustFile(ws), `${JSON.stringify(Object.fromEntries([...known].sort()), null, 2)}\n`)
  return executableConfig(ws)
}

/** The files of this checkout that can make gza run something, and whether exactly these bytes are trusted. */
export function executableConfig(ws: Workspace): TrustedFile[] {
  const top = ws.repo.workTree
  if (top === null) return []
  const known = readTrust(ws)
  const names = [
    CONFIG_FILE,
    '.project-config.json',
    ...listFiles(join(top, '.gza', 'prompts')).map((path) => relative(top, path)),
  ]
  return names.flatMap((file) => {
    const text = readTextIfThere(join(top, file))
    if (text === null) return []
    const hash = new Bun.CryptoHasher('sha256').update(text).digest('hex')
    return [{ file, hash, trusted: ws.env.GZA_TRUST === '1' || known.get(trustKey(ws, file)) === hash }]
  })
}

function trustKey(ws: Workspace, file: string): string {
  return `${ws.repo.commonDir} ${file}`
}

function trustFile(ws: Workspace): string {
  return join(userStateFolder(ws.env), 'trusted.json')
}

function readTrust(ws: Workspace): Map<string, string> {
  try {
    const parsed: unknown = JSON.parse(readTextIfThere(trustFile(ws)) ?? '{}')
    return new Map(Object.entries(parsed as Record<string, string>))
  } catch {
    return new Map()
  }
}

/** Commands from a cloned repository run only after a person has read them. */
export function assertTrusted(ws: Workspace, config: Config): void {
  const files = executableConfig(ws).filter(({ trusted }) => !trusted)
  const untrusted = new Set(files.map(({ file }) => file))
  const part = executableParts(config).find(({ file }) => untrusted.has(file))
  if (!part) return
  const what = `${part.file}:${part.line} wants to run '${part.command}' (${part.key})`
  throw new UserError('NOT_TRUSTED', `${what}, but is not trusted`, {
    hint: sentence`Read it, then: ${command`trust`}`,
  })
}
