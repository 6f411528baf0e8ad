import type { Workspace } from '../../workspace/workspace.ts'
import type { CallContext, GlobalFlags } from '../call-context.ts'
import { inWorkspace } from '../in-workspace.ts'
import { CHUNK, type Output } from './output.ts'

/** Collects lines that are printed later. */
export type Page = Pick<Output, 'write'>

/**
 * Runs one use case that writes its result piece by piece. `write` may run twice, so the page is printed after it has
 * finished. As bytes the lines of 100,000 tasks take a few megabytes; the tasks themselves would take a hundred.
 */
export function printPage<T>(
  context: CallContext,
  flags: GlobalFlags,
  write: (ws: Workspace, page: Page) => T,
  options: { spansLedgers?: boolean } = {},
): Promise<T> {
  let page = openPage()
  const writeAnew = (ws: Workspace) => {
    page = openPage()
    return write(ws, page)
  }
  return inWorkspace(context, flags, writeAnew, options).then((result) => {
    page.print(context.out)
    return result
  })
}

function openPage(): Page & { print(output: Output): void } {
  const full: Buffer[] = []
  let pending = ''
  return {
    write(text) {
      pending += text
      if (pending.length < CHUNK) return
      full.push(Buffer.from(pending))
      pending = ''
    },
    print(output) {
      for (const bytes of full) output.writeBytes(bytes)
      output.write(pending)
    },
  }
}
