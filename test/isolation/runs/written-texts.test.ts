/** The text that a task produces is a file of its agent, and gza reads it outside of the box. */
import { expect, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { outputOf } from '../../support/ledger-answers.ts'
import { anIsolatedRepo, expectNothingLeft, LEVELS } from './isolated-repo.ts'

const SECRET = 'the key of a person'

const FILE = `file=$(grep -o -m1 '[^ \`]*plans/[^ \`]*\\.md' <<<"$prompt" | head -1); mkdir -p "$(dirname "$file")"`

/** What the agent puts in the place of its plan. */
const ODD: Record<string, string> = {
  'a link to a key': 'ln -s "$HOME/.ssh/id" "$file"',
  'in a folder that is a link to keys':
    'rmdir .gza/plans; ln -s "$HOME/.ssh" .gza/plans; file=$(basename "$file"); [ -n "$file" ]',
  'a pipe': 'mkfifo "$file"',
  'longer than any text': 'truncate -s 5G "$file"',
}

for (const level of LEVELS)
  for (const [what, act] of Object.entries(ODD))
    test(`${level}: a plan that is ${what} is not read`, () => {
      const repo = anIsolatedRepo(level, { else: `${FILE}; ${act}` }, { defaults: { max_attempts: 1 } })
      const keys = join(repo.env.HOME ?? '', '.ssh')
      mkdirSync(keys)
      writeFileSync(join(keys, 'id'), SECRET)
      repo.add('Plan it', '--type', 'plan')
      // The name of the file has the day in it.
      const today = new Date().toISOString().slice(0, 10).replaceAll('-', '')
      writeFileSync(join(keys, `${today}-plan-it.md`), SECRET)
      const { code, stdout, stderr } = repo.work('1')
      expect(code).toBe(1)
      expect(stdout + stderr).toContain('is not a plain file of at most 8 MB, so it was not read')
      expect(repo.task('1').status).toBe('failed')
      expect(outputOf(repo.gza('export'))).not.toContain(SECRET)
      expect(repo.gza('show', '1', '--text').stdout).toBe('')
      expectNothingLeft(repo)
    })
