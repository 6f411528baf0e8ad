import type { RepoState } from '../../platform/git/repo-state.ts'

export type OutsideChange =
  | { kind: 'ref'; ref: string; from: string | null; to: string | null }
  | { kind: 'head'; from: string; to: string }
  | { kind: 'file'; path: string }
  | { kind: 'setting'; path: string }

/**
 * What has changed outside the agent's workplace. The agent may change none of it, but this does not show who did: a
 * person may work in the same checkout, and other workers move the branches of their own tasks. The branches in `except`
 * are left out.
 */
export function outsideChanges(before: RepoState, after: RepoState, except: readonly string[] = []): OutsideChange[] {
  const known = new Set(except.map((branch) => `refs/heads/${branch}`))
  const refs = differing(before.refs, after.refs).filter((ref) => !known.has(ref))
  return [
    ...refs.map((ref): OutsideChange => {
      return { kind: 'ref', ref, from: before.refs.get(ref) ?? null, to: after.refs.get(ref) ?? null }
    }),
    ...(before.head === after.head ? [] : [{ kind: 'head', from: before.head, to: after.head } as const]),
    ...differing(before.files, after.files).map((path) => ({ kind: 'file', path }) as const),
    ...differing(before.settings, after.settings).map((path) => ({ kind: 'setting', path }) as const),
  ]
}

function differing(before: Map<string, string>, after: Map<string, string>): string[] {
  const keys = new Set([...before.keys(), ...after.keys()])
  return [...keys].filter((key) => before.get(key) !== after.get(key)).sort()
}
