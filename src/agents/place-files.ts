import { join } from 'node:path'
import type { Invocation } from './agent.ts'

/** Stands in an invocation's variables for the folder that its files are written to. */
export const PRIVATE_FOLDER = '{private-folder}'

/** An invocation with the private folder filled in: its files by absolute path, and variables that point there. */
export function placeFiles(
  invocation: Invocation,
  folder: string,
): Invocation & { files: { path: string; text: string }[] } {
  const env = Object.entries(invocation.env).map(([name, value]) => [
    name,
    value.replaceAll(PRIVATE_FOLDER, () => folder),
  ])
  const files = (invocation.files ?? []).map(({ path, text }) => ({ path: join(folder, path), text }))
  return { ...invocation, env: Object.fromEntries(env), files }
}
