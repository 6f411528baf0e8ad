import type { z } from 'zod'
import type { Repo } from '../support/repo.ts'
import { ErrorOutput, OUTPUTS } from './outputs.ts'

/** Runs commands with --json, and compares what they print with the schemas of docs/json.md. An unknown key fails. */
export function checkerOf(repo: Pick<Repo, 'gza'>, checked: Set<string>) {
  return {
    /** `when`: which output of a command that has several. */
    check(args: readonly string[], { when, exits = [0] }: { when?: string; exits?: readonly number[] } = {}): unknown {
      const { code, stdout, stderr } = repo.gza(...args, '--json')
      if (!exits.includes(code)) throw new Error(`gza ${args.join(' ')} exited with ${code}: ${stdout}${stderr}`)
      return parseAs(args[0] ?? '', when, stdout, checked)
    },
    refuse(args: readonly string[]): z.infer<typeof ErrorOutput> {
      const { stdout } = repo.gza(...args, '--json')
      return ErrorOutput.parse(JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? ''))
    },
  }
}

export function parseAs(command: string, when: string | undefined, stdout: string, checked: Set<string>): unknown {
  const output = OUTPUTS[command]?.find((each) => each.when === when)
  if (output === undefined) throw new Error(`there is no output ${when} of ${command}`)
  const parsed = output.schema.safeParse(JSON.parse(stdout))
  if (!parsed.success) throw new Error(`${when ?? command}: ${parsed.error.message}\n${stdout.slice(0, 3000)}`)
  checked.add(when ?? command)
  return parsed.data
}
