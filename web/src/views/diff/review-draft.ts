import { type Signal, signal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import type { LineComment } from '../../api/types.ts'

/** A comment that was not sent yet. Its quote is what the page showed; the server reads the lines itself. */
export interface DraftComment extends LineComment {
  id: string
}

interface Draft {
  summary: string
  comments: DraftComment[]
}

const EMPTY: Draft = { summary: '', comments: [] }

/** What a person has written about one commit of a task. It survives a reload, and is kept for that commit. */
export interface ReviewDraft {
  draft: Signal<Draft>
  change(change: Partial<Draft>): void
  save(comment: Omit<DraftComment, 'id'> & { id?: string }): void
  remove(id: string): void
  clear(): void
}

export function useReviewDraft(repository: string, id: string, commit: string): ReviewDraft {
  return useMemo(() => openDraft(keyOf(repository, id, commit)), [repository, id, commit])
}

function openDraft(key: string): ReviewDraft {
  const draft = signal(readDraft(key))
  const change = (changed: Partial<Draft>): void => {
    draft.value = { ...draft.value, ...changed }
    const { summary, comments } = draft.value
    if (summary === '' && comments.length === 0) sessionStorage.removeItem(key)
    else sessionStorage.setItem(key, JSON.stringify(draft.value))
  }
  return {
    draft,
    change,
    save: ({ id = crypto.randomUUID(), ...comment }) => {
      const others = draft.value.comments.filter((each) => each.id !== id)
      change({ comments: [...others, { ...comment, id }] })
    },
    remove: (id) => change({ comments: draft.value.comments.filter((each) => each.id !== id) }),
    clear: () => change(EMPTY),
  }
}

/** What was written about other commits of the task, and not sent. */
export function olderDrafts(repository: string, id: string, commit: string): { commit: string; draft: Draft }[] {
  const prefix = keyOf(repository, id, '')
  return Object.keys(sessionStorage)
    .filter((key) => key.startsWith(prefix) && key !== prefix + commit)
    .map((key) => ({ commit: key.slice(prefix.length), draft: readDraft(key) }))
}

export function forgetDraft(repository: string, id: string, commit: string): void {
  sessionStorage.removeItem(keyOf(repository, id, commit))
}

function keyOf(repository: string, id: string, commit: string): string {
  return `draft:${repository} review ${id} ${commit}`
}

function readDraft(key: string): Draft {
  try {
    return { ...EMPTY, ...JSON.parse(sessionStorage.getItem(key) ?? '{}') }
  } catch {
    return EMPTY
  }
}
