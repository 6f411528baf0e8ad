import { join } from 'node:path'
import { putLinks, putScripts } from '../../platform/files/scripts.ts'
import type { Repo } from '../../platform/git/find-repo.ts'
import guardHook from './guard-hook.sh' with { type: 'text' }
import { installShim } from './install-shim.ts'

/** The parts of the guard that are files, all below `.git/gza/guard`. */
export interface GuardFiles {
  hooks: string
  /** Only the hooks that refuse something. The others just call the repository's own. */
  leanHooks: string
  /** First on the agent's PATH: the shim, gza under both names, and the transport that refuses. */
  bin: string
  refuseSsh: string
}

/** The files of the guard that agents start themselves. */
export function shownFiles({ commonDir }: Repo): string[] {
  return ['bin', 'refuse-ssh'].map((name) => join(commonDir, 'gza', 'guard', name))
}

/** Every push is sent to a transport of this name. If its program is not found, git's error shows the name. */
export const REFUSING_TRANSPORT = 'gza-refuses-push'

/** Writes the files of the guard that are missing or outdated. */
export function installGuard(repo: Repo, binary: string): GuardFiles {
  const folder = join(repo.commonDir, 'gza', 'guard')
  const hooks = join(folder, 'hooks')
  const leanHooks = join(hooks, 'lean')
  const files = { hooks, leanHooks, bin: join(folder, 'bin'), refuseSsh: join(folder, 'refuse-ssh') }
  const refusesPush = refusal('git push is not allowed for agents: pushing is for people')
  const refusesSsh = refusal('SSH is not allowed for agents: it would act in a person’s name')
  const hook = guardHook.replace("'@GZA@'", () => shellQuote(binary))
  putScripts(
    new Map([
      [join(folder, 'hook'), hook],
      [join(files.bin, `git-remote-${REFUSING_TRANSPORT}`), refusesPush],
      [files.refuseSsh, refusesSsh],
    ]),
  )
  putLinks(
    new Map([
      ...HOOKS.map((name) => [join(hooks, name), '../hook'] as const),
      ...['pre-push', 'reference-transaction'].map((name) => [join(leanHooks, name), '../../hook'] as const),
      ...['gza', 'git-tasks'].map((name) => [join(files.bin, name), binary] as const),
    ]),
  )
  installShim(files.bin)
  return files
}

/**
 * Every hook of githooks(5) except two: a push-to-checkout that does nothing would change what a push does to the
 * checkout, and git does not look for fsmonitor-watchman in core.hooksPath.
 */
const HOOKS = [
  ...['applypatch-msg', 'pre-applypatch', 'post-applypatch', 'pre-commit', 'pre-merge-commit', 'prepare-commit-msg'],
  ...['commit-msg', 'post-commit', 'pre-rebase', 'post-checkout', 'post-merge', 'pre-push', 'pre-receive', 'update'],
  ...['proc-receive', 'post-receive', 'post-update', 'reference-transaction', 'pre-auto-gc', 'post-rewrite'],
  ...['sendemail-validate', 'p4-changelist', 'p4-prepare-changelist', 'p4-post-changelist', 'p4-pre-submit'],
  'post-index-change',
]

function refusal(words: string): string {
  return `#!/bin/sh\necho ${shellQuote(`gza: ${words}`)} >&2\nexit 1\n`
}

export function shellQuote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
