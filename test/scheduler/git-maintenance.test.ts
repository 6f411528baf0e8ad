/** What git does behind a person's commits now and then, gza does for agents'. */
import { expect, test } from 'bun:test'
import { aStage, type Stage } from '../support/scripted-agent.ts'

const ASK =
  'echo "$(git config gc.auto) $(git config maintenance.auto)" > "$stage/auto"; commit "$title.txt" x; git tasks done "$task"'

/** A repository that has more packs than git lets be. */
function aCrowded(): Stage {
  const stage = aStage({ else: ASK })
  stage.git('config', 'gc.autoPackLimit', '1')
  for (const text of ['one', 'two', 'three']) {
    stage.git('-c', 'maintenance.auto=false', 'commit', '--quiet', '--allow-empty', '-m', text)
    stage.git('repack', '--quiet')
  }
  expect(packs(stage)).toBe(3)
  stage.add('chore')
  return stage
}

function packs(stage: Stage): number {
  return Number(/^packs: (\d+)$/m.exec(stage.git('count-objects', '-v'))?.[1])
}

const WAYS: [string, (stage: Stage) => { code: number }][] = [
  ['gza work', (stage) => stage.gza('work')],
  ['git tasks run', (stage) => stage.tasks('run', '--once', '--runner', stage.beside('agent'))],
  [
    'gza guard',
    (stage) => stage.gza('guard', '--', 'sh', '-c', `stage=${stage.beside('.')}; ${ASK.replace(/; commit.*/, '')}`),
  ],
]

for (const [name, call] of WAYS) {
  test(`${name}: the agent's git packs nothing, gza does`, () => {
    const stage = aCrowded()
    expect(call(stage).code).toBe(0)
    expect(stage.run(['cat', stage.beside('auto')]).stdout).toBe('0 false\n')
    expect(packs(stage)).toBe(1)
  })
}

test('nor does gza where the person has switched it off', () => {
  const stage = aCrowded()
  stage.git('config', 'maintenance.auto', 'off')
  expect(stage.gza('work').code).toBe(0)
  expect(packs(stage)).toBe(3)
})
