import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { parseAs } from '../json/check-output.ts'
import { OUTPUTS } from '../json/outputs.ts'
import { until } from '../support/until.ts'
import { aFleet, type Fleet } from './support/a-fleet.ts'
import { aPostgres, type Postgres } from './support/postgres.ts'

let postgres: Postgres

beforeAll(async () => {
  postgres = await aPostgres()
})
afterAll(() => postgres.remove())

/** Works until the test lets it end, and logs that it is alive. */
const SLOW = 'until [ -e "$beside/go" ]; do log alive; sleep 0.1; done\ncommit "$title.txt" "$title"'

function letEnd({ person }: Fleet): void {
  writeFileSync(person.beside('go'), '')
}

async function inFleet(acts: Record<string, string>, tasks: string[][], work: (fleet: Fleet) => Promise<void>) {
  const fleet = await aFleet(postgres, acts)
  try {
    for (const words of tasks) fleet.person.add(words[0] as string, ...words.slice(1))
    const init = fleet.person.gza('fleet', 'init')
    expect(init.stderr).toBe('')
    await work(fleet)
  } finally {
    await fleet.end()
  }
}

function calls(fleet: Fleet, title: string): string[] {
  return fleet
    .agentLog()
    .filter((line) => line.title === title && line.what === 'begin')
    .map(({ call }) => call)
}

/** Once a second agent has begun, nothing more comes from the first one. */
function overlaps(fleet: Fleet, title: string): unknown[] {
  const log = fleet.agentLog().filter((line) => line.title === title)
  const second = log.findLastIndex(({ what }) => what === 'begin')
  const begun = log.slice(0, second).filter(({ what }) => what === 'begin').length
  const alive = log.slice(second + 1).filter(({ what }) => what === 'begin').length
  const ends = log.filter(({ what }) => what === 'end').length
  return begun > 0 && ends > 1 ? log : Array.from({ length: alive })
}

async function allCompleted(fleet: Fleet): Promise<void> {
  await until(() => fleet.tasks().every(({ status }) => status === 'completed'), 'all tasks are completed')
}

function runsOf(fleet: Fleet, title: string) {
  const runs = fleet.tasks().find((task) => task.title === title)?.runs ?? []
  return runs.map(({ machine, outcome, seq, claim }) => ({ machine, outcome, seq, claim }))
}

/** The outage itself: longer than a claim lives without a sign of life. */
const AWAY_MS = 20_000

test('two machines do a queue, each task once and after those that it waits for', async () => {
  const tasks = [['one'], ['two', '--after', '1'], ['three'], ['four'], ['five', '--after', '2,3']]
  await inFleet({}, tasks, async (fleet) => {
    const alpha = await fleet.worker('alpha', '--workers', '2')
    const beta = await fleet.worker('beta')
    await allCompleted(fleet)
    for (const { title, runs } of fleet.tasks()) {
      expect([title, runs.map(({ outcome, seq, claim }) => [outcome, seq, claim])]).toEqual([
        title,
        [['completed', 1, 0]],
      ])
      expect(calls(fleet, title)).toHaveLength(1)
    }
    const titles = fleet.agentLog().map(({ what, title }) => `${what} ${title}`)
    expect(titles.indexOf('begin five')).toBeGreaterThan(titles.indexOf('end two'))
    expect(titles.indexOf('begin five')).toBeGreaterThan(titles.indexOf('end three'))
    fleet.person.git('fetch', '--quiet', 'origin')
    expect(fleet.person.git('branch', '--remotes', '--contains', 'HEAD').split('\n')).toHaveLength(6)
    expect(fleet.person.git('log', '--format=%s', 'origin/main').split('\n')).toEqual(['first'])
    expect(fleet.person.gza('verify').stdout).toStartWith('main: ok')
    expect(fleet.person.git('ls-remote', 'origin', 'refs/gza/*')).toBe('')
    const status = JSON.parse(fleet.person.gza('fleet', 'status', '--json').stdout)
    const hosts = status.machines.map(({ host, state, workers }: Record<string, unknown>) => [host, state, workers])
    expect(hosts).toEqual([
      ['alpha', 'working', 2],
      ['beta', 'working', 1],
    ])
    for (const worker of [alpha, beta]) worker.signal('SIGINT')
    expect(await Promise.all([alpha.ended, beta.ended])).toEqual([0, 0])
  })
})

describe('people', () => {
  test('a queue of a fleet is not worked on elsewhere, unless somebody says so, and may leave it', async () => {
    await inFleet({}, [['one'], ['two']], async (fleet) => {
      const { person } = fleet
      const refused = person.gza('work')
      expect([refused.code, refused.stderr]).toEqual([
        1,
        'Error: The queue of this branch belongs to a fleet\n  gza work --fleet\n',
      ])
      expect(person.gza('work', '1', '--local').code).toBe(0)
      expect(person.withEnv({ GZA_AGENT: 'codex' }).gza('fleet', 'leave').stderr).toContain('blocked in agent mode')
      expect(person.gza('fleet', 'leave').code).toBe(0)
      expect(person.gza('work', '2').code).toBe(0)
      expect(JSON.parse(person.gza('work', '--fleet', '--json').stdout).error.code).toBe('NOT_IN_FLEET')
      const again = JSON.parse(person.gza('fleet', 'init', '--json').stdout)
      expect(again).toMatchObject({ ledger: 'main', remote: 'origin', remote_url: fleet.remote, protocol: 1 })
    })
  })

  test('work --fleet follows what the fleet does', async () => {
    await inFleet({}, [['one'], ['two', '--after', '1']], async (fleet) => {
      await fleet.worker('alpha')
      const followed = await fleet.person.start(['gza', 'work', '--fleet', '--json'])
      const { tasks, is_over } = JSON.parse(followed.stdout)
      expect([is_over, tasks.map(({ status }: { status: string }) => status)]).toEqual([
        true,
        ['completed', 'completed'],
      ])
      expect(followed.stderr).toContain('#2 two: completed on alpha')
      expect(followed.code).toBe(0)
    })
  })

  test('pause, resume and drain reach a worker', async () => {
    await inFleet({}, [['one']], async (fleet) => {
      const { person } = fleet
      expect(person.gza('fleet', 'pause').code).toBe(0)
      const alpha = await fleet.worker('alpha')
      await until(() => JSON.parse(person.gza('fleet', 'status', '--json').stdout).is_paused, 'it is paused')
      expect(fleet.agentLog()).toEqual([])
      expect(person.gza('fleet', 'resume').code).toBe(0)
      await allCompleted(fleet)
      expect(person.gza('fleet', 'drain', 'nobody').stderr).toContain("no machine 'nobody'")
      expect(person.gza('fleet', 'drain', 'alpha').code).toBe(0)
      expect(await alpha.ended).toBe(0)
      expect(JSON.parse(person.gza('fleet', 'status', '--json').stdout).machines).toEqual([])
      const beta = await fleet.worker('beta')
      beta.signalAll('SIGKILL')
      const states = () => JSON.parse(person.gza('fleet', 'status', '--json').stdout).machines as { state: string }[]
      await until(() => states()[0]?.state === 'gone', 'it shows no sign of life')
      expect(person.gza('fleet', 'remove', 'beta').code).toBe(0)
      expect(states()).toEqual([])
    })
  })

  test('a change by a person wins over a run', async () => {
    await inFleet({ slow: SLOW }, [['slow']], async (fleet) => {
      const alpha = await fleet.worker('alpha')
      await until(() => calls(fleet, 'slow').length === 1, 'the agent works')
      fleet.tasks()
      expect(fleet.person.gza('done', '1').code).toBe(0)
      fleet.tasks()
      letEnd(fleet)
      await until(() => alpha.log().includes('closed-by-others'), 'the end is refused')
      expect(fleet.tasks().map(({ status, runs }) => [status, runs[0]?.outcome])).toEqual([
        ['completed', 'interrupted'],
      ])
      expect(fleet.person.git('ls-remote', 'origin', 'refs/gza/runs/*')).toContain(
        fleet.tasks()[0]?.runs[0]?.run ?? '-',
      )
    })
  })
})

describe('a worker does not start', () => {
  test('without a database, with one of another protocol, or for a queue of no fleet', async () => {
    await inFleet({}, [['one']], async (fleet) => {
      const { person, remote, address } = fleet
      const start = (env: Record<string, string | undefined>) => {
        const { code, stdout } = person.withEnv(env).gza('fleet', 'worker', '--repo', remote, '--json')
        return [code, JSON.parse(stdout).error.code]
      }
      expect(start({ GZA_FLEET_URL: undefined })).toEqual([1, 'NO_DATABASE'])
      expect(start({ GZA_FLEET_URL: 'postgres://gza@db.example/fleet' })).toEqual([1, 'INSECURE_DATABASE'])
      person.write('../home/.config/gza/fleet-url', `${address}\n`)
      expect(start({ GZA_FLEET_URL: undefined })).toEqual([1, 'DATABASE_EXPOSED'])
      expect(start({ GZA_FLEET_URL: postgres.database() })).toEqual([1, 'NO_FLEET_TABLES'])
      postgres.sql(address, 'UPDATE gza_fleet.protocol SET number = 2')
      expect(start({})).toEqual([1, 'OTHER_PROTOCOL'])
      expect(person.gza('fleet', 'leave').code).toBe(0)
      expect(start({})).toEqual([1, 'NOT_IN_FLEET'])
    })
  })
})

test('what an agent notes and files goes to the ledger of the remote', async () => {
  const act = 'git tasks note "$task" "half way" && git tasks add "found" && commit "$title.txt" a'
  await inFleet({ noting: act }, [['noting']], async (fleet) => {
    const alpha = await fleet.worker('alpha')
    await allCompleted(fleet)
    await until(() => calls(fleet, 'found').length === 1, 'the new task is done too')
    const shown = JSON.parse(fleet.person.gza('show', '1', '--json').stdout)
    expect(shown.notes).toEqual(['half way'])
    expect(fleet.person.gza('verify').stdout).toStartWith('main: ok')
    const { code, stdout } = fleet.person
      .withEnv({ HOME: alpha.home })
      .gza('fleet', 'worker', '--repo', fleet.remote, '--json')
    expect([code, JSON.parse(stdout).error.code]).toEqual([1, 'WORKER_RUNS'])
  })
})

test('the database is lost and made again: the queue continues from the ledger', async () => {
  await inFleet({ slow: SLOW }, [['slow'], ['next', '--after', '1']], async (fleet) => {
    await fleet.worker('alpha')
    await until(() => calls(fleet, 'slow').length === 1, 'the agent works')
    postgres.sql(fleet.address, 'DROP SCHEMA gza_fleet CASCADE')
    postgres.sql(fleet.address, 'DROP SCHEMA gza_offers CASCADE')
    expect(fleet.person.gza('fleet', 'init').code).toBe(0)
    await until(() => calls(fleet, 'slow').length === 2, 'the task is offered anew')
    letEnd(fleet)
    await allCompleted(fleet)
    expect(overlaps(fleet, 'slow')).toEqual([])
    expect(runsOf(fleet, 'slow').map(({ outcome, seq, claim }) => [outcome, seq, claim])).toEqual([
      ['interrupted', 1, 0],
      ['completed', 2, 0],
    ])
  })
})

test('a machine that comes back keeps the work of its dead run on the remote', async () => {
  const act = `[ -e "$beside/go" ] || save half.txt half\n${SLOW}`
  await inFleet({ slow: act }, [['slow']], async (fleet) => {
    const alpha = await fleet.worker('alpha')
    await until(() => fleet.agentLog().some(({ what }) => what === 'alive'), 'the first agent works')
    alpha.signalAll('SIGKILL')
    await alpha.ended
    await fleet.worker('alpha')
    await until(() => calls(fleet, 'slow').length === 2, 'the second agent works')
    letEnd(fleet)
    await allCompleted(fleet)
    const runs = fleet.tasks()[0]?.runs ?? []
    expect(runs.map(({ outcome, claim }) => [outcome, claim])).toEqual([
      ['interrupted', 0],
      ['completed', 1],
    ])
    const kept = `refs/gza/runs/${runs[0]?.run}`
    await until(() => fleet.person.git('ls-remote', 'origin', kept) !== '', 'the work is there')
    fleet.person.git('fetch', '--quiet', 'origin', kept)
    expect(fleet.person.git('show', 'FETCH_HEAD:half.txt')).toBe('half')
  })
})

test('every output with --json is what docs/json.md says', async () => {
  await inFleet({ slow: SLOW }, [['slow']], async (fleet) => {
    const checked = new Set<string>()
    const check = (words: string[], when = words.join(' ')) => {
      const { code, stdout } = fleet.person.gza(...words, '--json')
      expect([words, code]).toEqual([words, 0])
      return parseAs(words[0] as string, when, stdout, checked)
    }
    check(['fleet', 'init'])
    check(['fleet', 'migrate'])
    const alpha = await fleet.worker('alpha', '--json')
    await until(() => calls(fleet, 'slow').length === 1, 'the agent works')
    const steer = 'fleet drain, remove, pause, resume'
    check(['fleet', 'pause'], steer)
    const status = check(['fleet', 'status']) as { runs: { title: string; host: string }[]; is_paused: boolean }
    expect([status.is_paused, status.runs.map(({ title, host }) => [title, host])]).toEqual([true, [['slow', 'alpha']]])
    letEnd(fleet)
    check(['work', '--fleet'])
    check(['fleet', 'resume'], steer)
    check(['fleet', 'drain'], steer)
    await alpha.ended
    const end = alpha.log().trimEnd().split('\n').at(-1) ?? ''
    expect(parseAs('fleet', 'fleet worker', end, checked)).toMatchObject({ offers: 1 })
    check(['fleet', 'leave'])
    const all = Object.values(OUTPUTS).flatMap((outputs) => outputs.filter(({ needs }) => needs === 'PostgreSQL'))
    expect(all.map(({ when = '' }) => when).filter((when) => !checked.has(when))).toEqual([])
  })
})

describe('a worker that is gone', () => {
  const takeover = (kill: 'signal' | 'signalAll') => async () => {
    await inFleet({ slow: SLOW }, [['slow']], async (fleet) => {
      const alpha = await fleet.worker('alpha')
      await until(() => calls(fleet, 'slow').length === 1, 'the first agent works')
      await fleet.worker('beta')
      alpha[kill]('SIGKILL')
      await until(() => calls(fleet, 'slow').length === 2, 'the second agent works')
      expect(fleet.agentLog().filter(({ what }) => what === 'end')).toEqual([])
      letEnd(fleet)
      await allCompleted(fleet)
      expect(runsOf(fleet, 'slow')).toEqual([
        { machine: 'alpha', outcome: 'interrupted', seq: 1, claim: 0 },
        { machine: 'beta', outcome: 'completed', seq: 1, claim: 1 },
      ])
      expect(overlaps(fleet, 'slow')).toEqual([])
      expect(fleet.person.gza('verify').stdout).toStartWith('main: ok')
    })
  }

  test('by kill -9: its agent is ended, and another machine does the task', takeover('signal'))
  test('with all that it has started, but the watchdog: the same', takeover('signalAll'))

  test('by SIGSTOP: its agent is ended, the task is done elsewhere, and it works again when it continues', async () => {
    await inFleet({ slow: SLOW }, [['slow']], async (fleet) => {
      const alpha = await fleet.worker('alpha')
      await until(() => calls(fleet, 'slow').length === 1, 'the first agent works')
      const beta = await fleet.worker('beta')
      alpha.signalAll('SIGSTOP')
      await until(() => calls(fleet, 'slow').length === 2, 'the second agent works')
      alpha.signalAll('SIGCONT')
      letEnd(fleet)
      await allCompleted(fleet)
      expect(runsOf(fleet, 'slow')).toEqual([
        { machine: 'alpha', outcome: 'interrupted', seq: 1, claim: 0 },
        { machine: 'beta', outcome: 'completed', seq: 1, claim: 1 },
      ])
      expect(overlaps(fleet, 'slow')).toEqual([])
      beta.signal('SIGINT')
      expect(await beta.ended).toBe(0)
      fleet.person.add('later')
      await allCompleted(fleet)
      expect(runsOf(fleet, 'later').map(({ machine }) => machine)).toEqual(['alpha'])
    })
  })
})

describe('an outage', () => {
  test('of PostgreSQL: agents work on, and no claim is lost', async () => {
    await inFleet({ slow: SLOW }, [['slow'], ['next', '--after', '1']], async (fleet) => {
      await fleet.worker('alpha')
      await fleet.worker('beta')
      await until(() => calls(fleet, 'slow').length === 1, 'the agent works')
      postgres.stop()
      letEnd(fleet)
      await until(() => fleet.agentLog().some(({ what }) => what === 'end'), 'the agent has ended')
      await Bun.sleep(AWAY_MS)
      postgres.start()
      await allCompleted(fleet)
      expect(runsOf(fleet, 'slow').map(({ outcome, claim }) => [outcome, claim])).toEqual([['completed', 0]])
      expect(calls(fleet, 'slow')).toHaveLength(1)
    })
  })

  test('of the remote: facts wait, and claims are renewed', async () => {
    await inFleet({ slow: SLOW }, [['slow'], ['next', '--after', '1']], async (fleet) => {
      await fleet.worker('alpha')
      await fleet.worker('beta')
      await until(() => calls(fleet, 'slow').length === 1, 'the agent works')
      const restore = fleet.cutRemote()
      letEnd(fleet)
      await until(() => fleet.agentLog().some(({ what }) => what === 'end'), 'the agent has ended')
      await Bun.sleep(AWAY_MS)
      expect(fleet.agentLog().filter(({ what }) => what === 'begin')).toHaveLength(1)
      restore()
      await allCompleted(fleet)
      expect(runsOf(fleet, 'slow').map(({ outcome, claim }) => [outcome, claim])).toEqual([['completed', 0]])
    })
  })
})
