import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { aRepo } from '../support/repo.ts'

const README = readFileSync(join(import.meta.dir, '../../README.md'), 'utf8')

test('what README.md tells a new user to type without any client prints what it says', () => {
  const makesRepository = /^mkdir try-gza .*$/m.exec(README)?.[0] ?? ''
  const [, settings = '', session = ''] =
    /```yaml\n([\s\S]*?)```\n\n```console\n([\s\S]*?)```/.exec(README.slice(README.indexOf(makesRepository))) ?? []
  const home = aRepo()
  const cwd = dirname(home.dir)
  const made = home.run(['sh', '-c', makesRepository], { cwd })
  home.write('../try-gza/gza.yaml', settings)
  const commands = [...session.matchAll(/^\$ (.*)$/gm)].map(([, command = '']) => command)
  const printed = commands.map((command) => {
    const { code, stdout } = home.run(['sh', '-c', `${command} 2>&1`], { cwd: join(cwd, 'try-gza') })
    return `$ ${command}\n${stdout}${code === 0 ? '' : `exited with ${code}\n`}`
  })
  expect(made.code).toBe(0)
  expect(commands).toHaveLength(4)
  expect(withoutIds(printed.join(''))).toBe(withoutIds(session))
})

function withoutIds(text: string): string {
  return text
    .replace(/task-[0-9a-f]+/g, 'task-ID')
    .replace(/main \([0-9a-f]{7}\)/g, 'main (COMMIT)')
    .replace(/\(\d+s\)/g, '(Ns)')
}
