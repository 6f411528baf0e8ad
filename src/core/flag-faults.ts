import { type Sentence, sentence } from './sentence.ts'
import { UserError } from './user-error.ts'

/** What is wrong with a flag, worded once for every place where people type some. `help`: where to read about it. */

export function unknownFlag(name: string, nearest: readonly string[], help: Sentence): UserError {
  const meant = nearest.map((each) => `--${each}`)
  const hint = meant.length === 0 ? help : sentence`Did you mean ${either(meant)}? See ${help}`
  return new UserError('UNKNOWN_FLAG', `Unknown flag --${name}`, { hint, exitCode: 2 })
}

export function givenTwice(name: string, help: Sentence): UserError {
  return usage(`--${name} is given twice`, help)
}

export function withoutValue(name: string, help: Sentence): UserError {
  return usage(`--${name} needs a value`, help)
}

export function usage(fact: Sentence, hint: Sentence): UserError {
  return new UserError('USAGE', fact, { hint, exitCode: 2 })
}

export function either(names: readonly string[]): string {
  return names.length < 2 ? names.join() : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`
}
