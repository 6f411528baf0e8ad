import { expect, test } from 'bun:test'
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { until } from '../../support/until.ts'
import { aTag, living, superviseScript, zombies } from './supervise-script.ts'

const GONE = { survivors: 0, alive: [] as string[] }

test('children in the background end with the program that started them', async () => {
  const watched = await superviseScript('sleep $TAG & sleep $TAG & echo started')
  expect(watched).toMatchObject({ ...GONE, end: { kind: 'exited', code: 0 }, lines: ['out: started'] })
})

test('a daemon that forked twice is ended', async () => {
  const daemon = '(setsid sh -c "sleep $TAG & sleep $TAG & exit" </dev/null >/dev/null 2>&1 &)'
  expect(await superviseScript(`${daemon}; sleep 0.2; echo done`)).toMatchObject({ ...GONE, lines: ['out: done'] })
  expect(zombies()).toEqual([])
})

test('an orphan without environment, session and descriptors of its own making is ended, however fast it left', async () => {
  const orphan = 'env -i setsid sh -c "exec 0<&- 1>&- 2>&-; setsid sleep $TAG & exit" &'
  for (const wait of ['', 'sleep 0.3']) expect(await superviseScript(`${orphan}\n${wait}`)).toMatchObject(GONE)
  const deaf = `env -i setsid sh -c "trap '' TERM HUP INT; setsid sleep $TAG & exit" & sleep 0.1`
  expect(await superviseScript(deaf)).toMatchObject(GONE)
})

test('a child in a group of its own with all descriptors closed is ended', async () => {
  const child = 'exec 0<&- 1>&- 2>&-; sleep $TAG; : $TAG'
  const script = `bash -c 'set -m; sh -c "${child}" & cut -d" " -f5 /proc/$!/stat; echo $!'; sleep 0.1`
  const watched = await superviseScript(script)
  expect(watched).toMatchObject(GONE)
  expect(watched.lines[0]).toBe(watched.lines[1] as string)
})

test('fifty children that ignore TERM and continue forking are all killed', async () => {
  const child = `trap '' TERM; while :; do sleep $TAG & sleep 0.2; done`
  const script = `for i in $(seq 50); do setsid sh -c "${child}" & done; wait`
  const watched = await superviseScript(script, { timeoutMs: 700, graceMs: 200 })
  expect(watched).toMatchObject({ ...GONE, end: { kind: 'timed-out' } })
  expect(zombies()).toEqual([])
})

test('a process that passes itself on from fork to fork is caught', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gza-hop-'))
  const hop = join(folder, 'hop')
  // Not for ever: should it get away, the machine would run out of process numbers.
  writeFileSync(hop, 'sleep 0.01\n[ "$2" -gt 1000 ] || env -i setsid sh "$0" "$1" $(($2 + 1)) &\n')
  const watched = await superviseScript(`env -i sh ${hop} $TAG 0 & sleep 0.5`)
  expect(watched).toMatchObject(GONE)
  // At any moment one process would have the name of the file in its command line.
  for (let look = 0; look < 20; look += 1) expect(living(hop)).toEqual([])
  expect(zombies()).toEqual([])
  rmSync(folder, { recursive: true })
})

test('orphans that end by themselves during the phase do not stay as zombies', async () => {
  const tag = aTag()
  const orphan = `echo begun; exec 1>&-; sleep 0.1; : ${tag}`
  const { script, end } = untilTold(`for i in 1 2 3 4 5; do (env -i setsid sh -c '${orphan}' &); done`)
  let begun = 0
  const onLine = () => {
    begun += 1
  }
  const supervised = superviseScript(script, { onLine })
  const orphans = () => living(tag).filter((line) => line.startsWith('sh -c echo begun'))
  await until(() => begun === 5 && orphans().length === 0, 'the orphans have ended')
  await until(() => zombies().length === 0, 'they are reaped')
  end()
  expect(await supervised).toMatchObject({ end: { kind: 'exited', code: 0 } })
})

test('an orphan of no run is reaped as well', async () => {
  // Not awaited: its grandchild comes to us, because this process is a subreaper since the first supervised program.
  await superviseScript('true')
  const outside = spawn('sh', ['-c', '(sleep 0.1 &)'], { stdio: 'ignore' })
  await new Promise((resolve) => outside.on('exit', resolve))
  await until(() => zombies().length > 0, 'the orphan has ended')
  const { script, end } = untilTold('true')
  const supervised = superviseScript(script)
  await until(() => zombies().length === 0, 'it is reaped')
  end()
  expect(await supervised).toMatchObject({ end: { kind: 'exited', code: 0 } })
})

test('two runs side by side end only their own processes', async () => {
  const orphans = 'env -i setsid sh -c "setsid sleep $TAG & exit" & (setsid sleep $TAG &) ; sleep $TAG &'
  const tag = aTag()
  const { script, end } = untilTold(orphans.replaceAll('$TAG', tag))
  const second = superviseScript(`${script}; echo mine`)
  const sleepers = () => living(tag).filter((line) => line.startsWith('sleep'))
  await until(() => sleepers().length === 3, 'the second run has all its processes')
  const first = superviseScript(`${orphans} sleep 0.5`)
  const third = superviseScript(`${orphans} sleep 3000`, { timeoutMs: 500 })
  expect(await first).toMatchObject(GONE)
  expect(await third).toMatchObject(GONE)
  expect(sleepers()).toEqual([`sleep ${tag}`, `sleep ${tag}`, `sleep ${tag}`])
  end()
  expect(await second).toMatchObject({ ...GONE, end: { kind: 'exited', code: 0 }, lines: ['out: mine'] })
  expect(living(tag)).toEqual([])
})

test('a process of ours that belongs to no run is left alone', async () => {
  const tag = aTag()
  const bystander = spawn('sleep', [tag], { stdio: 'ignore' })
  await superviseScript('sleep $TAG & exit')
  expect(living(tag)).toEqual([`sleep ${tag}`])
  bystander.kill()
})

test('something outside the run that holds its output open delays nothing for long', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gza-hold-'))
  const ready = join(folder, 'ready')
  const tag = aTag()
  const { script, end } = untilTold(`echo $$ > ${ready}.part; mv ${ready}.part ${ready}`)
  const supervised = superviseScript(`${script}; echo last`)
  await until(() => Bun.file(ready).size > 0, 'the script runs')
  const pid = (await Bun.file(ready).text()).trim()
  const holder = spawn('sh', ['-c', `exec 3>/proc/${pid}/fd/1; exec sleep ${tag}`], { stdio: 'ignore' })
  await until(() => living(tag).includes(`sleep ${tag}`), 'the output is held open')
  end()
  const watched = await supervised
  expect(watched).toMatchObject({ ...GONE, end: { kind: 'exited', code: 0 }, lines: ['out: last'] })
  expect(living(tag)).toEqual([`sleep ${tag}`])
  holder.kill()
  rmSync(folder, { recursive: true })
})

/** The script, then a wait that ends when the test says so. */
function untilTold(script: string): { script: string; end(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'gza-told-'))
  const told = join(folder, 'told')
  const separator = script.endsWith('&') ? '' : ';'
  return {
    script: `${script}${separator} until [ -e ${told} ]; do sleep 0.02; done; rm -r ${folder}`,
    end: () => writeFileSync(told, ''),
  }
}
