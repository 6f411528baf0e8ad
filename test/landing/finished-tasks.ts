import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { outputOf } from '../support/ledger-answers.ts'
import { aStage, type Stage, type StageOptions } from '../support/scripted-agent.ts'

/** Tasks that are done and wait on their branches, by title. */
export function done(titles: readonly string[], acts: Record<string, string> = {}, options: StageOptions = {}): Stage {
  const stage = aStage(acts, options)
  for (const title of titles) stage.add(title)
  outputOf(stage.gza('work', '--all'))
  return stage
}

export function subjects(stage: Stage, ...range: string[]): string[] {
  return stage.git('log', '--format=%s', ...range).split('\n')
}

/** Commits further sections to gza.yaml. */
export function configure(stage: Stage, sections: Record<string, unknown>): void {
  const text = readFileSync(join(stage.dir, 'gza.yaml'), 'utf8')
  const more = Object.entries(sections).map(([name, section]) => `${name}: ${JSON.stringify(section)}\n`)
  stage.commit('configure', { 'gza.yaml': text + more.join('') })
}

/** Commits a file on a branch that is checked out nowhere. */
export function commitOn(stage: Stage, branch: string | null, file: string, text = 'x\n'): void {
  const path = mkdtempSync(join(dirname(stage.dir), 'hand-'))
  stage.git('worktree', 'add', '--quiet', '--force', path, String(branch))
  writeFileSync(join(path, file), text)
  stage.git('-C', path, 'add', '--all')
  stage.git('-C', path, 'commit', '--quiet', '-m', `Change ${file}`)
  stage.git('worktree', 'remove', '--force', path)
}
