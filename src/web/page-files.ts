import page from '../../web/index.html'
import type { WebHost } from './host.ts'
import { SAFE_HEADERS } from './respond.ts'

interface PageFile {
  path: string
  headers: Record<string, string>
}

/** The page's own files, which hold no data: they are part of the executable, and anybody may read them. */
export function openPageFiles({ readFile }: Pick<WebHost, 'readFile'>): (path: string) => Promise<Response | null> {
  const { index, files } = page as unknown as { index: string; files: PageFile[] }
  const byName = new Map(files.map((file) => [nameOf(file.path), file]))
  return async (path) => {
    // Every view has an address of its own, and all of them are the one page.
    const file = byName.get(path.slice(1)) ?? (path.includes('.') ? undefined : byName.get(nameOf(index)))
    if (file === undefined) return null
    const headers = { ...SAFE_HEADERS, 'content-type': file.headers['content-type'] ?? 'application/octet-stream' }
    return new Response((await readFile(file.path)) as Uint8Array<ArrayBuffer>, { headers })
  }
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}
