/** Configuration that can execute something takes effect only after a person has trusted exactly these bytes. */

import { dirname, join, relative } from 'node:path'
import type { Config } from '../../core/config/settings.ts'
import { partsThatNeedTrust } from '../../core/config/trusted-parts.ts'
import { command, sentence } from '../../core/sentence.ts'
import { assertAllowed } from '../../core/task/agent-mode.ts'
import { UserError } from '../../core/user-error.ts'
import { listFiles, readTextIfThere, readTextsIn, writeText } from '../../platform/files/files.ts'
import { userStateFolder } from '../../platform/files/user-folders.ts'
import type { Workspace } from '../workspace.ts'
import { ownConfiguration } from './configuration.ts'
import { CONFIG_FILE } from './configured-ledger.ts'
import { isPossibleOrphan, refuseOrphans } from './refuse-orphans.ts'

export interface TrustedFile {
  file: string
  hash: string
  trusted: boolean
}

export function trustConfig(ws: Workspace, options: { show?: boolean; revoke?: boolean } = {}): TrustedFile[] {
  const files = executableConfig(ws)
  if (options.show) return files
  assertAllowed('trust', ws.actor)
  refuseOrphans(ws)
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
  writeTrust(ws, known)
  return executableConfig(ws)
}

/** Trusts one file with exactly this text, because gza has written it for a person. */
export function trustWritten(ws: Workspace, file: string, text: string): void {
  assertAllowed('trust', ws.actor)
  refuseOrphans(ws)
  writeTrust(ws, readTrust(ws).set(trustKey(ws, file), hashOf(text)))
}

function writeTrust(ws: Workspace, known: ReadonlyMap<string, string>): void {
  writeText(trustFile(ws), `${JSON.stringify(Object.fromEntries([...known].sort()), null, 2)}\n`)
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
  const texts = readTextsIn(top, names)
  return names.flatMap((file, at) => {
    const text = texts[at] ?? null
    if (text === null) return []
    const hash = hashOf(text)
    return [{ file, hash, trusted: isTrusted(ws, known, { file, hash }) }]
  })
}

/** The text of a file of this checkout, if there is one and exactly these bytes are trusted. Links are not followed. */
export function trustedText(ws: Workspace, file: string): string | null {
  const path = ws.repo.workTree === null ? null : join(ws.repo.workTree, file)
  if (path === null || !listFiles(dirname(path)).includes(path)) return null
  const text = readTextIfThere(path)
  return text !== null && isTrusted(ws, readTrust(ws), { file, hash: hashOf(text) }) ? text : null
}

function isTrusted(
  ws: Workspace,
  known: ReadonlyMap<string, string>,
  { file, hash }: Omit<TrustedFile, 'trusted'>,
): boolean {
  return (ws.env.GZA_TRUST === '1' && !isPossibleOrphan(ws)) || known.get(trustKey(ws, file)) === hash
}

function hashOf(text: string): string {
  return new Bun.CryptoHasher('sha256').update(text).digest('hex')
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

/**
 * What a cloned repository wants to run, land or spend is followed only after a person has read it. Returns the files
 * that are not trusted.
 */
export async function assertTrusted(ws: Workspace, config: Config): Promise<string[]> {
  const untrusted = executableConfig(ws).flatMap(({ file, trusted }) => (trusted ? [] : [file]))
  if (untrusted.length === 0) return untrusted
  const parts = partsThatNeedTrust(config, await ownConfiguration(ws))
  const part = parts.find(({ file }) => untrusted.includes(file))
  if (!part) return untrusted
  const what = `${part.file}:${part.line} ${part.wish} (${part.key})`
  throw new UserError('NOT_TRUSTED', `${what}, but is not trusted`, {
    hint: ws.env.GZA_TRUST === '1' ? GZA_TRUST_REFUSED : sentence`Read it, then: ${command`trust`}`,
  })
}

const GZA_TRUST_REFUSED = sentence`GZA_TRUST=1 does not count here: there is no terminal, and an agent may have left this process behind. Once, in a terminal: ${command`trust`}`
