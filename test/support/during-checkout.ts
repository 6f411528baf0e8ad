import { writeFileSync } from 'node:fs'
import type { AgentRepo, AgentRepoOptions } from './scripted-agent.ts'

/** The file whose filter git runs while it lays out a worktree. Without boxes: in one, the filter could not see gza. */
export const FILTERED: AgentRepoOptions = {
  isolation: 'off',
  files: { '.gitattributes': 'slow.txt filter=slow\n', 'slow.txt': 'x\n' },
}

/** Does something the first time that git lays out a worktree of a repository with `FILTERED`; `$gza` is who called git. */
export function duringCheckout(repo: AgentRepo, act: string): void {
  const filter = repo.beside('filter')
  const findCaller = 'while [ "$(cat /proc/$gza/comm)" != gza ]; do gza=$(cut -d " " -f 4 /proc/$gza/stat); done'
  const lines = [`test ! -e ${filter}-ran || exec cat`, `touch ${filter}-ran`, 'gza=$$', findCaller, act]
  writeFileSync(filter, `#!/bin/sh\n${lines.join('\n')}\n`, { mode: 0o755 })
  repo.git('config', 'filter.slow.smudge', filter)
}
