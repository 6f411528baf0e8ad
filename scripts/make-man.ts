import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { commandIndex } from '../src/cli/command-docs.ts'
import { VERSION } from '../src/cli/version.ts'
import { manPage } from './man/page.ts'

/** Writes gza.1 and git-tasks.1. git sends `git tasks --help` to the second one. */
export function makeManPages(folder: string): void {
  const gza = { name: 'gza', typed: 'gza', other: 'git-tasks', version: VERSION }
  const gitTasks = { name: 'git-tasks', typed: 'git tasks', other: 'gza', version: VERSION }
  for (const program of [gza, gitTasks]) {
    writeFileSync(join(folder, `${program.name}.1`), manPage(program, commandIndex))
  }
}
