import { UserError } from '../../core/user-error.ts'

export function linkError(path: string): UserError {
  return new UserError('LINK_IN_THE_WAY', `${path} is a symbolic link, and gza does not write through links there`, {
    hint: 'Move the link elsewhere. gza makes a folder or file of its own.',
  })
}
