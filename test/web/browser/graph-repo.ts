import { outputOf } from '../../support/ledger-answers.ts'
import { aRepo, type Repo } from '../../support/repo.ts'

export const LAYERS = 20
const WIDTH = 25

/**
 * 500 tasks in 20 layers: each needs one or two of the layer before it. Five more need nothing. The first layer is
 * finished, so the second one is ready and the others are blocked.
 */
export function aLargePlan(): Repo {
  const repo = aRepo()
  repo.commit('first')
  repo.write('tasks.json', JSON.stringify({ tasks: [...layeredTasks(), ...loneTasks()] }))
  outputOf(repo.gza('import', 'tasks.json'))
  return repo
}

function layeredTasks() {
  return Array.from({ length: LAYERS * WIDTH }, (_, at) => {
    const layer = Math.floor(at / WIDTH)
    const before = (step: number) => (layer - 1) * WIDTH + ((at + step) % WIDTH) + 1
    const needs = layer === 0 ? [] : at % 3 === 0 ? [before(0), before(7)] : [before(0)]
    return { id: at + 1, title: titleOf(at, layer), status: layer === 0 ? 'done' : 'pending', dependencies: needs }
  })
}

function titleOf(at: number, layer: number): string {
  return at === 333 ? 'Needle <img src=x onerror=alert(1)>' : `Step ${layer} of part ${(at % WIDTH) + 1}`
}

function loneTasks() {
  return Array.from({ length: 5 }, (_, at) => ({
    ...{ id: 900 + at, title: `Alone ${at + 1}`, status: 'pending', dependencies: [] },
  }))
}
