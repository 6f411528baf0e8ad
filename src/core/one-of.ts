import { UserError } from './user-error.ts'

/** The allowed word that was given, in any case. */
export function oneOf<T extends string>(what: string, value: string, allowed: readonly T[]): T {
  const found = allowed.find((word) => word.toLowerCase() === value.toLowerCase())
  if (found) return found
  throw new UserError('BAD_VALUE', `'${value}' is not a valid ${what}`, {
    hint: `One of: ${allowed.join(', ')}`,
    exitCode: 2,
  })
}
