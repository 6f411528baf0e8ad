import { expect } from 'bun:test'
import type { TaskView } from '../../src/workspace/views/views.ts'
import type { Env, Repo, Result } from '../support/repo.ts'

/** A folder that commands are called in. */
export interface Place {
  gza(...args: string[]): Result
  git(...args: string[]): string
}

export function placeIn(repo: Repo, cwd: string, env: Env = {}): Place {
  return {
    gza: (...args) => repo.run(['gza', ...args], { cwd, env }),
    git: (...args) => {
      const result = repo.run(['git', ...args], { cwd, env })
      if (result.code !== 0) throw new Error(`git ${args.join(' ')}: ${result.stderr}`)
      return result.stdout.replace(/\n$/, '')
    },
  }
}

/** A whole task's life in that place: filed, noted, finished, linked, found, taken back, verified. */
export function liveThere(place: Place, ...flags: string[]): void {
  const ask = <T>(...args: string[]): T => {
    const result = place.gza(...args, ...flags, '--json')
    expect({ args, code: result.code, stderr: result.stderr }).toEqual({ args, code: 0, stderr: '' })
    return JSON.parse(result.stdout) as T
  }
  const first = ask<TaskView>('add', 'first task', ...(flags.includes('--branch') ? ['--create'] : []))
  const second = ask<TaskView>('add', 'second task', '--after', first.id)
  expect([first.number, second.number, second.after]).toEqual([1, 2, [first.id]])
  expect(ask<TaskView>('note', '1', 'a note').notes).toEqual(['a note'])
  ask('done', '1')
  expect(ask<TaskView[]>('list', '--all').map(({ status }) => status)).toEqual(['completed', 'pending'])
  expect(ask<{ undone: string }>('undo').undone).toBe(`done ${first.id}`)
  expect(ask<{ subject: string }[]>('log', '2').map(({ subject }) => subject)).toEqual([`add ${second.id}`])
  expect(ask<{ ok: boolean; commit_count: number }[]>('verify')).toMatchObject([{ ok: true, commit_count: 5 }])
}

/** Finishes a task there and commits: the link is found. */
export function commitThere(place: Place, message = 'work'): void {
  const [{ id }] = JSON.parse(place.gza('list', '--json').stdout) as [TaskView]
  expect(place.gza('done', id)).toMatchObject({ code: 0, stderr: '' })
  place.git('commit', '--quiet', '--allow-empty', '--message', message)
  const { closed_commit } = JSON.parse(place.gza('show', id, '--json').stdout) as TaskView
  expect(closed_commit).toBe(place.git('rev-parse', 'HEAD'))
  expect(place.git('log', '-1', '--notes=tasks', '--format=%N')).toContain(`${id}: `)
}
