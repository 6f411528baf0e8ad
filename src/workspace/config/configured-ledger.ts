import { quickStat, quickStatOfLink } from '../../platform/files/quick-stat.ts'
import { readSmallFile } from '../../platform/files/read-small-file.ts'
import type { Repo } from '../../platform/git/find-repo.ts'

export const CONFIG_FILE = 'gza.yaml'

/**
 * `ledger:` of the checkout's gza.yaml. Every command needs it, so nothing else is read: a mistake in a setting that
 * this command does not need must not stop it.
 */
export function configuredLedger({ workTree }: Repo): Promise<string | undefined> | undefined {
  const text = workTree === null ? null : readQuickly(`${workTree}/${CONFIG_FILE}`)
  return text === null ? undefined : ledgerIn(text)
}

async function ledgerIn(read: string | Promise<string | null>): Promise<string | undefined> {
  const text = await read
  if (text === null || !/(?:^|[{,])\s*["']?ledger["']?\s*:/m.test(text)) return undefined
  const { parseConfigText } = await import('./parse-config-text.ts')
  const parsed = parseConfigText({ file: CONFIG_FILE, text })
  const ledger = (parsed.root as { ledger?: unknown } | null)?.ledger ?? undefined
  if (ledger === undefined || (typeof ledger === 'string' && ledger !== '')) return ledger
  throw parsed.problem(['ledger'], 'value', 'ledger must be the name of a branch')
}

/** The reader of all configuration is loaded only for what cannot be read in the quick way: it names the reason. */
function readQuickly(path: string): string | null | Promise<string | null> {
  const kind = quickStat(path)?.kind
  if (kind === undefined && quickStatOfLink(path) === null) return null
  try {
    if (kind === 'file') return readSmallFile(path)
  } catch {}
  return import('./configuration.ts').then(({ readConfigText }) => readConfigText(path))
}
