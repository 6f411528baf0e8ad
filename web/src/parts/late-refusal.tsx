import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Refused } from '../api/request.ts'
import { route } from '../route.ts'
import { WithTimes } from './time.tsx'
import { visibleText } from './visible-text.ts'

/**
 * Why the last action came too late: somebody else had changed what it was about. It is shown above every view, because
 * the newer state may have no place for it any more: the entry that was decided about is gone.
 */
export const lateRefusal = signal<Refused | null>(null)

export function LateRefusal() {
  const { repository, view, ref } = route.value
  useEffect(() => {
    lateRefusal.value = null
  }, [repository, view, ref])
  if (lateRefusal.value === null) return null
  const { message, hint } = lateRefusal.value
  return (
    <div class="dock">
      <div class="outcome" role="alert">
        <div>
          <strong>
            <WithTimes text={`${visibleText(message)}.`} />
          </strong>
          {hint && <p>{hint}</p>}
        </div>
        <button type="button" class="quiet" onClick={() => (lateRefusal.value = null)}>
          Close
        </button>
      </div>
    </div>
  )
}
