import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { outputOf } from '../support/ledger-answers.ts'
import { type AgentRepo, type AgentRepoOptions, anAgentRepo } from '../support/scripted-agent.ts'

/** Tasks that are done and wait on their branches, by title. */
export function done(
  titles: readonly string[],
  acts: Record<string, string> = {},
  options: AgentRepoOptions = {},
): AgentRepo {
  const repo = anAgentRepo(acts, options)
  for (const title of titles) repo.add(title)
  outputOf(repo.gza('work', '--all'))
  return repo
}

export function subjects(repo: AgentRepo, ...range: string[]): string[] {
  return repo.git('log', '--format=%s', ...range).split('\n')
}

/** Commits further sections to gza.yaml. */
export function configure(repo: AgentRepo, sections: Record<string, unknown>): void {
  const text = readFileSync(join(repo.dir, 'gza.yaml'), 'utf8')
  const more = Object.entries(sections).map(([name, section]) => `${name}: ${JSON.stringify(section)}\n`)
  repo.commit('configure', { 'gza.yaml': text + more.join('') })
}

/** Commits a file on a branch that is checked out nowhere. */
export function commitOn(repo: AgentRepo, branch: string | null, file: string, text = 'x\n'): void {
  const path = mkdtempSync(join(dirname(repo.dir), 'hand-'))
  repo.git('worktree', 'add', '--quiet', '--force', path, String(branch))
  writeFileSync(join(path, file), text)
  repo.git('-C', path, 'add', '--all')
  repo.git('-C', path, 'commit', '--quiet', '-m', `Change ${file}`)
  repo.git('worktree', 'remove', '--force', path)
}
