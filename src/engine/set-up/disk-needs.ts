import { basename } from 'node:path'
import type { WorktreeSettings } from '../../core/config/settings.ts'
import { diskUse, freeSpace } from '../../platform/files/disk.ts'
import type { Repo } from '../../platform/git/find-repo.ts'
import { type Env, tryGit } from '../../platform/git/git.ts'
import { listIgnored } from '../../platform/git/ignored-files.ts'
import { workplaceRoot } from '../../platform/git/workplace-root.ts'

/** What worktrees take, in bytes. The set-up of a worktree is taken to make what the person's checkout has. */
export interface DiskNeeds {
  each: number
  free: number
}

export function diskNeeds(repo: Repo, env: Env, settings: WorktreeSettings): DiskNeeds {
  const tracked = sizeOfHead(repo)
  const installed = settings.setup === null ? 0 : sizeOfPackages(repo, env, settings)
  return { each: tracked + installed, free: freeSpace(workplaceRoot(repo, env)) }
}

function sizeOfHead(repo: Repo): number {
  const { stdout } = tryGit(repo, ['ls-tree', '-r', '-l', '--full-tree', 'HEAD'])
  const sizes = stdout.toString().matchAll(/^\d+ blob \S+ +(\d+)\t/gm)
  return sizes.reduce((sum, [, size]) => sum + Number(size), 0)
}

function sizeOfPackages(repo: Repo, env: Env, { link }: WorktreeSettings): number {
  const { workTree } = repo
  if (workTree === null) return 0
  const folders = listIgnored(repo, workTree).map((path) => path.replace(/\/$/, ''))
  const installed = folders.filter((path) => PACKAGES.has(basename(path)) && !link.includes(path))
  return diskUse(workTree, installed, env)
}

/** Folders that package managers fill. */
const PACKAGES = new Set([
  ...['node_modules', '.venv', 'venv', '.tox', 'vendor', '.bundle', 'target', 'deps', '_build', '.gradle', '.yarn'],
  ...['bower_components', 'obj', 'Pods'],
])
