import { join } from 'node:path'
import { AGENTS } from '../../agents/registry.ts'
import { type Config, originOf } from '../../core/config/settings.ts'
import { MANIFESTS } from '../../core/project/project-files.ts'
import type { Found } from '../../core/project/propose-settings.ts'
import { findProgram, readBytesIfThere } from '../../platform/files/files.ts'
import { listIgnored } from '../../platform/git/ignored-files.ts'
import { placeAt, runOwnGit } from '../../platform/git/own-git.ts'
import type { Workspace } from '../../workspace/workspace.ts'

/** Enough of any manifest to recognise a project by. */
const MOST_BYTES = 256 * 1024

/** Everything that a proposal is made from. */
export function lookAtProject({ repo, env }: Workspace, top: string, config: Config): Found {
  const flags = ['--cached', '--others', '--exclude-standard', '-z']
  const paths = runOwnGit(placeAt(repo, top), ['ls-files', ...flags])
    .toString()
    .split('\0')
    .filter(Boolean)
  const read = paths.filter((path) => MANIFESTS.includes(path.replace(/^[^/]*\//, '')))
  const texts = new Map(read.map((path) => [path, startOf(join(top, path))]))
  return { paths, texts, ignored: listIgnored(repo, top), clients: clientsFor(config, env.PATH ?? '') }
}

function startOf(path: string): string {
  return readBytesIfThere(path)?.subarray(0, MOST_BYTES).toString() ?? ''
}

/** The agent that the person has chosen for all repositories, then the clients that are installed. */
function clientsFor(config: Config, path: string): string[] {
  const own = originOf(config, 'defaults.agent').kind === 'user' ? [config.defaults.agent] : []
  const installed = AGENTS.map(({ name }) => name).filter((name) => findProgram(name, path) !== null)
  return [...own, ...installed]
}
