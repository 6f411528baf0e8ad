import type { Lease } from '../../state/live/leases.ts'

/** The lease of a person's own tree, in which `git tasks run` calls agents, has no task. */
export function treeUid(path: string): string {
  return `${TREE}${path}`
}

/** The tree that a lease is for; null: it is for a task. */
export function treeOf({ uid }: Lease): string | null {
  return uid.startsWith(TREE) ? uid.slice(TREE.length) : null
}

const TREE = 'tree:'
