import { afterAll, expect, test } from 'bun:test'
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { release } from 'node:os'
import { isBox } from '../../src/core/isolation/levels.ts'
import { keeps, PROMISES } from '../../src/core/isolation/promises.ts'
import { aTag, living, pidsOf } from '../engine/supervise/supervise-script.ts'
import { until } from '../support/until.ts'
import { aScene, PERSONS, type Person, prepareBoxes, removeBoxes, runScript, startScript, treeOf } from './boxed.ts'

const boxes = await prepareBoxes()
afterAll(removeBoxes)

for (const [person, levels] of boxes)
  for (const level of levels) {
    const title = `${level} as ${person.name}`
    const run = (script: string, more = {}, scene = aScene(person)) =>
      runScript(script, { person, level, scene, ...more })

    test(`${title}: no new privileges, no capabilities and no ignored signals`, () => {
      const { out } = run(
        "grep -E '^(SigIgn|NoNewPrivs|Cap(Inh|Prm|Eff|Amb)):' /proc/self/status | tr -d '\\t '; id -u",
      )
      const none = '0000000000000000'
      const uid = person.uid === 0 && isBox(level) ? 1000 : person.uid
      expect(out.sort()).toEqual(
        [
          ...['Inh', 'Prm', 'Eff', 'Amb'].map((set) => `Cap${set}:${none}`),
          `SigIgn:${none}`,
          'NoNewPrivs:1',
          `${uid}`,
        ].sort(),
      )
    })

    test(`${title}: processes outside cannot be signalled, and not be seen in a box`, async () => {
      const tag = aTag()
      const [program = '', ...args] = [...person.become, 'sleep', tag]
      const outside = spawn(program, args, { stdio: 'ignore' })
      await until(() => living(tag).includes(`sleep ${tag}`), 'it runs')
      const { pid } = outside
      const { out } = run(`kill -0 ${pid} && echo asked; kill -9 ${pid} && echo killed; cat /proc/${pid}/comm; true`)
      const refused = keeps(level, 'refusesSignals') || isFrom(PROMISES.refusesSignals.landlock)
      expect(out).toEqual([
        ...(refused ? [] : ['asked', 'killed']),
        ...(keeps(level, 'hidesProcesses') ? [] : ['sleep']),
      ])
      if (!refused) return
      expect(living(tag)).toEqual([`sleep ${tag}`])
      outside.kill('SIGKILL')
    })

    test(`${title}: the environment, standard input and a large output are as without a box`, () => {
      const env = { A: 'one', EMPTY: '', LINES: 'a\nb', uid: 'given', net: 'given', LD_LIBRARY_PATH: '/nowhere' }
      const scene = aScene(person)
      const call = { marker: `run-${aTag()}`, env }
      const { out } = run('env -0 | tr "\\n\\0" "\\f\\n"', call, scene)
      const given = { ...env, PATH: process.env.PATH, HOME: scene.home, GZA_RUN: call.marker }
      // What shells and bubblewrap set themselves.
      const own = ['PWD', 'OLDPWD', '_', 'SHLVL', ...(keeps(level, 'privateTemporary') ? [] : ['TMPDIR'])]
      const seen = Object.fromEntries(out.map((line) => [line.split('=')[0], line.slice(line.indexOf('=') + 1)]))
      for (const name of own) delete seen[name]
      expect(seen).toEqual({ ...given, LINES: 'a\fb' })

      const stdin = `${'x'.repeat(100_000)}\n`
      expect(run('cat', { stdin }).out).toEqual([stdin.trim()])
      const large = run('seq 300000; echo done >&2; echo more > /dev/stderr')
      expect(large.out.length).toBe(300_000)
      expect(large.out.at(-1)).toBe('300000')
      expect(large.err).toEqual(['done', 'more'])
    })

    test(`${title}: exit codes and signals of the program come through`, () => {
      expect(run('exit 7').end).toEqual({ kind: 'exited', code: 7 })
      expect(run('exit 127').end).toEqual({ kind: 'exited', code: 127 })
      expect(run('kill -KILL $$').end).toEqual({ kind: 'signalled', signal: 'SIGKILL' })
      expect(run('kill -TERM $$').end).toEqual({ kind: 'signalled', signal: 'SIGTERM' })
      expect(run('', { argv: ['no-such-program'] }).end).toEqual({
        kind: 'not-started',
        why: 'no-such-program: no such command',
      })
    })

    test(`${title}: TERM reaches the program first, and it can clean up`, () => {
      const tag = aTag()
      const script = `trap 'sleep 0.3; echo cleaned; exit 5' TERM; echo ready; sleep ${tag} & wait`
      const { end, out, survivors } = run(script, { cancelAt: 'ready', graceMs: 20_000 })
      expect({ end, out, survivors }).toEqual({ end: { kind: 'cancelled' }, out: ['ready', 'cleaned'], survivors: 0 })
      expect(living(tag)).toEqual([])
    })

    test(`${title}: what ignores TERM is killed after its grace period`, () => {
      const tag = aTag()
      const script = `trap '' TERM; (trap '' TERM; setsid sleep ${tag} &) ; echo ready; sleep ${tag}`
      const { end, survivors } = run(script, { cancelAt: 'ready', graceMs: 300 })
      expect({ end, survivors }).toEqual({ end: { kind: 'cancelled' }, survivors: 0 })
      expect(living(tag)).toEqual([])
    })

    test(`${title}: daemons are gone when the program has ended`, () => {
      const tag = aTag()
      const { end, survivors } = run(
        `(setsid sleep ${tag} >/dev/null 2>&1 &); env -i setsid sleep ${tag} & sleep 0.2; exit 3`,
      )
      expect({ end, survivors }).toEqual({ end: { kind: 'exited', code: 3 }, survivors: 0 })
      expect(living(tag)).toEqual([])
    })

    test(`${title}: what is left in the background gets TERM, and time to clean up`, () => {
      const tag = aTag()
      const daemon = `trap 'sleep 0.3; echo cleaned; exit' TERM; echo >ready; sleep ${tag} & wait`
      const { end, out, err, survivors } = run(
        `setsid sh -c "${daemon}" & until [ -e ready ]; do sleep 0.05; done; exit 3`,
      )
      expect({ end, out, err, survivors }).toEqual({
        ...{ end: { kind: 'exited', code: 3 }, survivors: 0 },
        ...{ out: ['cleaned'], err: [] },
      })
      expect(living(tag)).toEqual([])
    })

    test(`${title}: the network is off where that is asked`, async () => {
      const server = createServer((socket) => socket.end('hello\n')).listen(0, '127.0.0.1')
      await until(() => server.listening, 'it listens')
      const { port } = server.address() as { port: number }
      const connect = (network: boolean): Promise<number | undefined> => {
        const scene = aScene(person)
        const options = { argv: ['bash', '-c', `exec 3<>/dev/tcp/127.0.0.1/${port}`], plan: { ...scene.plan, network } }
        return new Promise((resolve) =>
          startScript('', { person, level, scene, ...options, showExit: true }).once('exit', (code) =>
            resolve(code ?? -1),
          ),
        )
      }
      expect(await connect(true)).toBe(0)
      const off = keeps(level, 'cutsNetwork') || isFrom(PROMISES.cutsNetwork.landlock)
      expect((await connect(false)) === 0).toBe(!off)
      server.close()
    })
  }

for (const level of [...boxes.values()][0] ?? [])
  test(`${level}: what ignores TERM in the background is killed after its grace period`, () => {
    const tag = aTag()
    const [person] = PERSONS as [Person]
    const { end, survivors } = runScript(
      `(trap '' TERM; setsid sleep ${tag} &) ; trap '' TERM; sleep ${tag} & sleep 0.2; exit 3`,
      { person, level, scene: aScene(person), graceMs: 500 },
    )
    expect({ end, survivors }).toEqual({ end: { kind: 'exited', code: 3 }, survivors: 0 })
    expect(living(tag)).toEqual([])
  })

for (const [person, levels] of boxes)
  for (const level of levels.filter((each) => keeps(each, 'diesWithGza')))
    for (const victim of ['gza', 'the first process', 'pid 1 of the box'] as const)
      test(`${level} as ${person.name}: after kill -9 of ${victim} nothing is left`, async () => {
        const scene = aScene(person)
        const before = treeOf(scene.repository)
        const mounts = readFileSync('/proc/self/mountinfo', 'utf8')
        const tag = aTag()
        const supervisor = startScript(`(setsid sleep ${tag} &); sleep ${tag}`, { person, level, scene })
        const ended = new Promise((resolve) => supervisor.once('exit', resolve))
        await until(() => living(tag).filter((line) => line === `sleep ${tag}`).length === 2, 'it runs')
        const [gza, first, one] = chainOf(supervisor.pid as number)
        process.kill({ gza, 'the first process': first, 'pid 1 of the box': one }[victim] as number, 'SIGKILL')
        await ended
        await until(() => pidsOf(tag).length === 0, 'all processes are gone')
        expect(treeOf(scene.repository)).toEqual(before)
        expect(readFileSync('/proc/self/mountinfo', 'utf8')).toBe(mounts)
      })

/** A process, its child, and the child of that. */
function chainOf(pid: number): number[] {
  const child = (of: number): number =>
    Number(readFileSync(`/proc/${of}/task/${of}/children`, 'utf8').trim().split(' ')[0])
  return [pid, child(pid), child(child(pid))]
}

/** Whether this kernel is the one that a promise names, or a later one. */
function isFrom(promise: string): boolean {
  const [, major, minor] = /from Linux (\d+)\.(\d+)/.exec(promise) ?? []
  const [here = 0, below = 0] = release().split('.').map(Number)
  return here > Number(major) || (here === Number(major) && below >= Number(minor))
}
