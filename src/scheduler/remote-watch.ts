import { sentenceText } from '../core/sentence.ts'
import type { Task } from '../core/task/task.ts'
import { isBlindRepeat, lookAtRemote } from '../runs/look-at-remote.ts'
import type { Workspace } from '../workspace/workspace.ts'

/** Looks for what others have pushed before a session repeats a task. The other runs of the session continue meanwhile. */
export interface RemoteWatch {
  /** True: not now. The look is under way, and the tasks are chosen again after it. */
  mustLookBefore(task: Task): boolean
  /** Null: no look is under way. */
  looking(): Promise<void> | null
}

export function openRemoteWatch(ws: Workspace, say: (sentence: string) => void): RemoteWatch {
  let looking: Promise<void> | null = null
  const look = async (): Promise<void> => {
    try {
      const unseen = await lookAtRemote(ws)
      if (unseen !== null) say(sentenceText(unseen))
    } finally {
      looking = null
    }
  }
  return {
    mustLookBefore: (task) => {
      if (!isBlindRepeat(ws, task)) return false
      looking ??= look()
      return true
    },
    looking: () => looking,
  }
}
