/** What `gza init` would write into gza.yaml, decided before anything is written. */
import { join } from 'node:path'
import { partsThatNeedTrust } from '../../core/config/trusted-parts.ts'
import { missingSections, proposalText } from '../../core/project/proposal-text.ts'
import { proposeSettings } from '../../core/project/propose-settings.ts'
import { command, type Sentence, sentence } from '../../core/sentence.ts'
import { fileExists, readTextIfThere } from '../../platform/files/files.ts'
import { loadConfiguration, ownConfiguration } from '../../workspace/config/configuration.ts'
import { CONFIG_FILE } from '../../workspace/config/configured-ledger.ts'
import { executableConfig } from '../../workspace/config/trust-config.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { lookAtProject } from './look-at-project.ts'

export interface ConfigProposal {
  /** `add`: sections at the end of a file that exists, whose own lines stay as they are. */
  action: 'create' | 'add' | 'none'
  /** The file as it would be. */
  text: string
  /** What is new in it. */
  added: string
  /** Whether commands of the file may run: gza writes it whole, or a person has trusted it as it is. */
  isTrusted: boolean
  /** Why nothing is written or run. */
  why: Sentence | null
}

export async function proposeConfig(ws: Workspace): Promise<ConfigProposal> {
  const top = ws.repo.workTree
  if (top === null) return nothing('', 'A bare repository has no files, so there is no gza.yaml to write.')
  const config = await loadConfiguration(ws)
  const before = readTextIfThere(join(top, CONFIG_FILE))
  const proposal = () => proposeSettings(lookAtProject(ws, top, config))
  if (before === null) {
    const text = proposalText(proposal())
    return { action: 'create', text, added: text, isTrusted: true, why: null }
  }
  const isTrusted = executableConfig(ws).some(({ file, trusted }) => file === CONFIG_FILE && trusted)
  const parts = partsThatNeedTrust(config, await ownConfiguration(ws))
  if (!isTrusted && parts.some(({ file }) => file === CONFIG_FILE)) return nothing(before, NOT_TRUSTED)
  const added = missingSections(proposal(), topKeys(before))
  const text = `${before}${before === '' || before.endsWith('\n') ? '' : '\n'}${added}`
  const kept = { ...nothing(before, null), isTrusted }
  if (added === '' || !(await isReadable(text))) return kept
  return { action: 'add', text, added, isTrusted, why: null }
}

export function hasConfig({ repo }: Workspace): boolean {
  return repo.workTree !== null && fileExists(join(repo.workTree, CONFIG_FILE))
}

const NOT_TRUSTED = sentence`gza.yaml exists and is not trusted, so nothing of it was run or changed. Read it, then: ${command`trust`}`

function nothing(text: string, why: Sentence | null): ConfigProposal {
  return { action: 'none', text, added: '', isTrusted: false, why }
}

function topKeys(text: string): string[] {
  return [...text.matchAll(/^["']?([a-z_]+)["']?\s*:/gm)].map(([, key = '']) => key)
}

/** A file in another form than lines of keys, such as `{…}`, cannot be added to. */
async function isReadable(text: string): Promise<boolean> {
  const { readConfigFile } = await import('../../workspace/config/read-config-file.ts')
  try {
    readConfigFile({ kind: 'project', file: CONFIG_FILE, text })
    return true
  } catch {
    return false
  }
}
