import type { Asked, Resource } from './resource.ts'

/** Each is loaded when it is first asked for. */
const ALL: Readonly<Record<string, () => Promise<{ default: Resource }>>> = {
  inbox: () => import('./inbox.ts'),
  board: () => import('./board.ts'),
  landing: () => import('./landing.ts'),
  'landing/plan': () => import('./landing-plan.ts'),
  runs: () => import('./runs.ts'),
  output: () => import('./output.ts'),
  graph: () => import('./graph.ts'),
  stats: () => import('./stats.ts'),
  agents: () => import('./agents.ts'),
  'worktree-sizes': () => import('./worktree-sizes.ts'),
  choices: () => import('./forms/choices.ts'),
  find: () => import('./forms/find.ts'),
  plan: () => import('./forms/plan.ts'),
  undo: () => import('./forms/undo.ts'),
  started: () => import('./forms/started.ts'),
  'tasks/:ref': () => import('./task/task.ts'),
  'tasks/:ref/entry': () => import('./entry.ts'),
  'tasks/:ref/diff': () => import('./diff.ts'),
  'tasks/:ref/diff/file': () => import('./file-diff.ts'),
  'tasks/:ref/reviews': () => import('./reviews.ts'),
  'tasks/:ref/log': () => import('./log.ts'),
  'tasks/:ref/timeline': () => import('./task/timeline.ts'),
  'tasks/:ref/history': () => import('./task/history.ts'),
  'tasks/:ref/prompt': () => import('./task/prompt.ts'),
  'tasks/:ref/prompts/:name': () => import('./task/past-prompt.ts'),
  'tasks/:ref/texts/:name': () => import('./task/text.ts'),
}

/** The resource at a path, and the values of its variables; null if there is none. */
export async function findResource(
  path: string,
): Promise<(Pick<Asked, 'ref' | 'name'> & { resource: Resource }) | null> {
  const words = decoded(path)
  if (words === null) return null
  for (const [pattern, load] of Object.entries(ALL)) {
    const found = matched(pattern.split('/'), words)
    if (found !== null) return { ...found, resource: (await load()).default }
  }
  return null
}

function decoded(path: string): string[] | null {
  try {
    return path.split('/').map(decodeURIComponent)
  } catch {
    return null
  }
}

function matched(pattern: readonly string[], words: readonly string[]): Pick<Asked, 'ref' | 'name'> | null {
  if (pattern.length !== words.length) return null
  const found = { ref: '', name: '' }
  for (const [at, part] of pattern.entries()) {
    const word = words[at] as string
    if (part === ':ref') found.ref = word
    else if (part === ':name') found.name = word
    else if (part !== word) return null
  }
  return found
}
