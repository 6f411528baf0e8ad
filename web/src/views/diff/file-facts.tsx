import type { DiffedFile } from '../../api/types.ts'
import { visibleText } from '../../parts/visible-text.ts'

/** The name of a file, and how it was changed. Control characters in a name are shown as escapes. */
export function FileFacts({ file }: { file: DiffedFile }) {
  const { path, old_path, change, old_mode, new_mode, outside } = file
  const isOtherMode = change === 'changed' || change === 'renamed' ? old_mode !== new_mode : false
  return (
    <>
      <code class="path">
        {old_path !== null && <span class="note">{`${visibleText(old_path)} → `}</span>}
        {visibleText(path)}
      </code>
      <Counts file={file} />
      {change !== 'changed' && <span class="badge">{change === 'retyped' ? 'file type changed' : change}</span>}
      {isOtherMode && <span class="badge">{`mode ${old_mode} → ${new_mode}`}</span>}
      {outside && <span class="badge status-blocked">outside of its list</span>}
    </>
  )
}

export function Counts({ file: { added, removed } }: { file: Pick<DiffedFile, 'added' | 'removed'> }) {
  if (added === null) return <span class="counts note">binary</span>
  return (
    <span class="counts">
      <span class="status-completed">+{added}</span> <span class="status-failed">−{removed}</span>
    </span>
  )
}
