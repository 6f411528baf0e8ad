import { join } from 'node:path'
import { UserError } from '../core/user-error.ts'
import { readTextIfThere } from '../platform/files.ts'
import type { Repo } from '../platform/find-repo.ts'

export const CONFIG_FILE = 'gza.yaml'

/** `ledger:` of the checkout's gza.yaml. The yaml reader is loaded only where there is a file to read. */
export async function configuredLedger(repo: Repo): Promise<string | undefined> {
  const text = repo.workTree === null ? null : readTextIfThere(join(repo.workTree, CONFIG_FILE))
  if (text === null || !/^\s*["']?ledger["']?\s*:/m.test(text)) return undefined
  return (await readConfiguration(text)).ledger
}

export interface Configuration {
  ledger?: string
}

/** The configuration as data, or an error with the line and column of what is wrong. */
export async function readConfiguration(text: string): Promise<Configuration> {
  const [{ parseDocument, LineCounter }, { z }] = await Promise.all([import('yaml'), import('zod')])
  const lineCounter = new LineCounter()
  const document = parseDocument(text, { lineCounter, prettyErrors: false })
  const broken = document.errors[0]
  if (broken) throw configError(broken.message, lineCounter.linePos(broken.pos[0]))
  const parsed = z
    .looseObject({ ledger: z.string().min(1).optional() })
    .nullable()
    .safeParse(document.toJS())
  if (parsed.success) return { ...(parsed.data?.ledger !== undefined && { ledger: parsed.data.ledger }) }
  const issue = parsed.error.issues[0]
  const node = document.getIn(issue?.path ?? [], true) as { range?: [number, number, number] } | undefined
  throw configError(
    `${issue?.path.join('.') || CONFIG_FILE}: ${issue?.message}`,
    lineCounter.linePos(node?.range?.[0] ?? 0),
  )
}

function configError(message: string, { line, col }: { line: number; col: number }): UserError {
  return new UserError('BAD_CONFIG', `${CONFIG_FILE}:${line}:${col}: ${message}`, {
    hint: `Mend ${CONFIG_FILE} at line ${line}.`,
  })
}
