/** Runs programs without a shell and measures the time. */

export interface Probe {
  argv: string[]
  cwd: string
  env: Record<string, string>
}

/** Wall time of one run, in milliseconds, from before the process exists until it is gone. */
export function timeOnce(probe: Probe): number {
  const { argv, cwd, env } = probe
  const start = performance.now()
  const { exitCode } = Bun.spawnSync(argv, { cwd, env, stdin: 'ignore', stdout: 'ignore', stderr: 'ignore' })
  const elapsed = performance.now() - start
  if (exitCode !== 0) throw new Error(`${argv.join(' ')} exited with ${exitCode}`)
  return elapsed
}

/**
 * Each round measures every probe once, so that a slow minute of the machine slows all of them. The order is reversed in
 * every round, so that no probe always follows the same one. The first round warms the caches and is not counted.
 */
export function timeInTurns<K extends string>(probes: Record<K, Probe>, rounds: number): Record<K, number[]> {
  const keys = Object.keys(probes) as K[]
  for (const key of keys) runQuietly(probes[key])
  const times = Object.fromEntries(keys.map((key) => [key, []])) as unknown as Record<K, number[]>
  for (let round = 0; round < rounds; round++) {
    for (const key of round % 2 === 0 ? keys : keys.toReversed()) times[key].push(timeOnce(probes[key]))
  }
  return times
}

/** Runs a step that is not measured. If it fails, its output is the error message. */
export function runQuietly({ argv, cwd, env }: Probe, input?: string): string {
  const { exitCode, stdout, stderr } = Bun.spawnSync(argv, {
    cwd,
    env,
    stdin: input === undefined ? 'ignore' : Buffer.from(input),
    stdout: 'pipe',
    stderr: 'pipe',
  })
  if (exitCode !== 0) throw new Error(`${argv.join(' ')} exited with ${exitCode}: ${stdout}${stderr}`)
  return stdout.toString()
}

/** One writer for each element, each running its probes one after another. Returns the wall time until the last one ends. */
export async function timeWriters(writers: readonly Probe[][]): Promise<number> {
  const start = performance.now()
  await Promise.all(writers.map(runInOrder))
  return performance.now() - start
}

async function runInOrder(probes: readonly Probe[]): Promise<void> {
  for (const { argv, cwd, env } of probes) {
    const child = Bun.spawn(argv, { cwd, env, stdin: 'ignore', stdout: 'ignore', stderr: 'ignore' })
    const code = await child.exited
    if (code !== 0) throw new Error(`${argv.join(' ')} exited with ${code}`)
  }
}
