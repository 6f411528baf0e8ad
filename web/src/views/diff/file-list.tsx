import type { DiffedFile } from '../../api/types.ts'
import { visibleText } from '../../parts/visible-text.ts'
import { Counts } from './file-facts.tsx'

/** Jumps to a file, and opens it. */
export function FileList({ files, anchorOf }: { files: readonly DiffedFile[]; anchorOf(at: number): string }) {
  const jump = (event: MouseEvent, at: number): void => {
    event.preventDefault()
    const file = document.getElementById(anchorOf(at))
    if (!(file instanceof HTMLDetailsElement)) return
    file.open = true
    file.scrollIntoView({ block: 'start' })
    file.querySelector('summary')?.focus({ preventScroll: true })
  }
  return (
    <nav class="file-list" aria-label="Changed files">
      <ul>
        {files.map((file, at) => (
          <li key={file.path}>
            <a href={`#${anchorOf(at)}`} title={visibleText(file.path)} onClick={(event) => jump(event, at)}>
              <PathName path={visibleText(file.path)} />
              {file.outside && (
                <span class="status-blocked" title="outside of its list">
                  <span aria-hidden="true">●</span>
                  <span class="hidden">outside of its list</span>
                </span>
              )}
              <Counts file={file} />
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

function PathName({ path }: { path: string }) {
  const end = path.lastIndexOf('/') + 1
  return (
    <span class="name">
      <span class="folders">{path.slice(0, end)}</span>
      <span class="last">{path.slice(end)}</span>
    </span>
  )
}
