import { type Config, type Origin, originOf } from './settings.ts'

/** Something that the configuration would run, and the project's file that contains it. */
export interface ExecutablePart {
  key: string
  command: string
  file: string
  line: number
}

/**
 * Everything that runs because the project's own files contain it. Nothing of it may run before a person trusts those
 * files. The person's own file needs no trust.
 */
export function executableParts(config: Config): ExecutablePart[] {
  const agents = [...config.agents].map(([name, { command }]) => ({ key: `agents.${name}.command`, command }))
  const checks = (['command', 'test_command'] as const).flatMap((name) => {
    const command = config.verify[name]
    return command === null ? [] : [{ key: `verify.${name}`, command }]
  })
  const { setup, copy, link, root } = config.worktree
  const worktree = [
    ...(setup === null ? [] : [{ key: 'worktree.setup', command: setup }]),
    ...(copy.length === 0 ? [] : [{ key: 'worktree.copy', command: `copy ${copy.join(' ')}` }]),
    ...(link.length === 0 ? [] : [{ key: 'worktree.link', command: `link ${link.join(' ')}` }]),
    ...(root === null ? [] : [{ key: 'worktree.root', command: `make worktrees in ${root}` }]),
  ]
  return [...agents, ...checks, ...worktree].flatMap((part) => {
    const origin: Origin = originOf(config, part.key)
    return origin.kind === 'project' ? [{ ...part, file: origin.file, line: origin.line }] : []
  })
}
