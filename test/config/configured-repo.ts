import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { aRepo, type Repo } from '../support/repo.ts'

/** A repository with these files of configuration; `own` is the person's. */
export function aConfiguredRepo(files: { yaml?: string; json?: string; own?: string }): Repo {
  const repo = aRepo()
  if (files.yaml !== undefined) repo.write('gza.yaml', files.yaml)
  if (files.json !== undefined) repo.write('.project-config.json', files.json)
  if (files.own !== undefined) writeOwn(join(repo.env.HOME!, '.config/gza/config.yaml'), files.own)
  return repo
}

export function writeOwn(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

/** What `gza config KEY` answers, as `key = value (origin)`. */
export function shown(repo: Repo, ...args: string[]): string[] {
  const { stdout } = repo.gza('config', ...args)
  const lines = stdout.split('\n').filter((line) => line !== '')
  return lines.map((line) => line.replace(/^(\S+) +(.*?) {2,}(\S.*)$/, '$1 = $2 ($3)'))
}
