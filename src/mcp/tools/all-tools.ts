import type { Tool } from './tool.ts'

/** At most ten, together under 1,300 tokens: every session of a client has all of them in its context. */
const LOADERS: Readonly<Record<string, () => Promise<{ default: Tool }>>> = {
  context: () => import('./context.ts'),
  next: () => import('./next.ts'),
  list: () => import('./list.ts'),
  show: () => import('./show.ts'),
  why: () => import('./why.ts'),
  claim: () => import('./claim.ts'),
  release: () => import('./release.ts'),
  done: () => import('./done.ts'),
  add: () => import('./add.ts'),
  note: () => import('./note.ts'),
}

export async function findTool(name: string): Promise<Tool | undefined> {
  return Object.hasOwn(LOADERS, name) ? (await LOADERS[name]?.())?.default : undefined
}

export async function allTools(): Promise<Tool[]> {
  const loaded = await Promise.all(Object.values(LOADERS).map((load) => load()))
  return loaded.map((each) => each.default)
}
