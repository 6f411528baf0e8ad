import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'

/** A real server with a data folder and a port of its own, on loopback. */
export interface Postgres {
  /** The address of a new, empty database. */
  database(): string
  /** As when the machine is gone: connections break, and nothing is said. */
  stop(): void
  start(): void
  /** Runs one statement and gives what it prints. */
  sql(address: string, statement: string): string
  remove(): void
}

const PROGRAMS = '/usr/lib/postgresql'

export async function aPostgres(): Promise<Postgres> {
  const folder = mkdtempSync('/var/tmp/gza-postgres-')
  const isRoot = process.getuid?.() === 0
  // The server refuses to run as root.
  const asServer = isRoot ? ['runuser', '-u', 'postgres', '--'] : []
  if (isRoot) run(['chown', 'postgres', folder])
  chmodSync(folder, 0o755)
  const program = (name: string) => join(PROGRAMS, newestVersion(), 'bin', name)
  const data = join(folder, 'data')
  run([...asServer, program('initdb'), '-D', data, '-U', 'gza', '--auth=trust', '--no-sync', '-E', 'UTF8'])
  const port = await freePort()
  const options = `-c listen_addresses=127.0.0.1 -c port=${port} -c unix_socket_directories=${folder} -c fsync=off`
  const control = (...args: string[]) => run([...asServer, program('pg_ctl'), '-D', data, '-w', ...args])
  const address = (name: string) => `postgres://gza@127.0.0.1:${port}/${name}`
  const sql = (database: string, statement: string) =>
    run([program('psql'), '--no-psqlrc', '-At', '-v', 'ON_ERROR_STOP=1', '-c', statement, database]).trim()
  let databases = 0
  let isRunning = false
  const start = () => {
    control('start', '-l', join(folder, 'log'), '-o', options)
    isRunning = true
  }
  const stop = () => {
    control('stop', '-m', 'immediate')
    isRunning = false
  }
  start()
  return {
    start,
    stop,
    sql,
    database: () => {
      const name = `fleet${++databases}`
      sql(address('postgres'), `CREATE DATABASE ${name}`)
      return address(name)
    },
    remove: () => {
      if (isRunning) stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function newestVersion(): string {
  const versions = run(['ls', PROGRAMS]).split('\n').filter(Boolean).map(Number)
  return String(Math.max(...versions))
}

/** Its output goes to a file: a server that is started keeps the descriptors of its starter. */
function run(argv: string[]): string {
  const file = join(mkdtempSync('/var/tmp/gza-output-'), 'output')
  try {
    writeFileSync(file, '')
    const quoted = argv.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ')
    const { status } = spawnSync('sh', ['-c', `cd / && ${quoted} >'${file}' 2>&1 </dev/null`])
    const output = readFileSync(file, 'utf8')
    if (status !== 0) throw new Error(`${argv.join(' ')} exited with ${status}: ${output}`)
    return output
  } finally {
    rmSync(join(file, '..'), { recursive: true, force: true })
  }
}

function freePort(): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>()
  const server = createServer().listen(0, '127.0.0.1', () => {
    const address = server.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    server.close(() => resolve(port))
  })
  return promise
}
