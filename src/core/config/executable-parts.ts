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
  return [...agents, ...checks].flatMap((part) => {
    const origin: Origin = originOf(config, part.key)
    return origin.kind === 'project' ? [{ ...part, file: origin.file, line: origin.line }] : []
  })
}
