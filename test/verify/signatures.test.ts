import { expect, test } from 'bun:test'
import { aRepo } from '../support/repo.ts'

test('with gza.sign each change is signed, and verify counts the signatures; without a key nothing changes', () => {
  const repo = aRepo()
  repo.git('config', 'gpg.format', 'ssh')
  repo.git('config', 'gza.sign', 'true')
  repo.git('config', 'user.signingkey', `${repo.dir}/no-such-key.pub`)
  const refused = repo.gza('add', 'Unsigned', '--json')
  expect(refused.code).toBe(1)
  expect(JSON.parse(refused.stdout).error.code).toBe('NOT_SIGNED')
  expect(repo.git('for-each-ref', 'refs/tasks')).toBe('')

  // Git signs through a program of the ssh-keygen kind; this one signs with the length of what it is given.
  const signer = repo.write(
    'signer',
    '#!/bin/sh\nfor last; do :; done\nprintf -- "-----BEGIN SSH SIGNATURE-----\\n%s\\n-----END SSH SIGNATURE-----\\n" "$(wc -c <"$last")" >"$last.sig"\n',
  )
  repo.run(['chmod', '+x', signer])
  repo.write('key.pub', 'ssh-ed25519 AAAA test\n')
  repo.git('config', 'gpg.ssh.program', signer)
  repo.git('config', 'user.signingkey', `${repo.dir}/key.pub`)
  expect(repo.gza('add', 'Signed').code).toBe(0)
  expect(repo.git('cat-file', 'commit', 'refs/tasks/main')).toContain('gpgsig -----BEGIN SSH SIGNATURE-----')
  expect(repo.git('log', '-1', '--format=%s %(trailers:key=Mode,separator=%x2C)', 'refs/tasks/main')).toMatch(
    /^add task-\w+ Mode: human$/,
  )
  expect(repo.gza('show', '1', '--json').code).toBe(0)
})
