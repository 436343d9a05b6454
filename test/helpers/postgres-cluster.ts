import { execFileSync, spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'

/** A Postgres of its own: a cluster in a temporary folder, on a free port of 127.0.0.1. */
export interface PostgresCluster {
  /** As the superuser. */
  readonly url: string
  readonly port: number
  readonly directory: string
  /** `immediate` is a crash: nothing is flushed. */
  stop(mode?: 'fast' | 'immediate'): void
  start(): void
  /** Ends its first process with SIGKILL; the others notice. */
  kill(): void
  /** Runs SQL as the superuser, and returns the rows as text. */
  psql(sql: string): string
  /** The same as the user, and in the database, of an address. */
  psqlIn(url: string, sql: string): string
  /** Runs SQL in a transaction that stays open until the returned function is called. */
  hold(sql: string): Promise<() => Promise<void>>
  /** Stops it and deletes its files. */
  remove(): void
}

const programs = findPrograms()

/** Tests that need Postgres skip by name where it is not installed. */
export const hasPostgres = programs !== undefined

/** Postgres refuses to run as root, so root runs it as the user of the package. */
const isRoot = process.getuid?.() === 0

const initOptions = ['-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-sync', '--locale=C.UTF-8']

export async function openPostgresCluster(settings: readonly string[] = []): Promise<PostgresCluster> {
  const root = makeRoot()
  run('initdb', ['-D', join(root, 'data'), ...initOptions])
  return startCluster(root, settings)
}

/** A standby of a cluster. Every commit of the primary waits for it, until the primary is killed. */
export async function openStandby(primary: PostgresCluster): Promise<PostgresCluster & { promote(): void }> {
  const root = makeRoot()
  const from = ['-h', '127.0.0.1', '-p', `${primary.port}`, '-U', 'postgres']
  run('pg_basebackup', ['-D', join(root, 'data'), ...from, '-R', '-X', 'stream', '--checkpoint=fast', '--no-sync'])
  const standby = await startCluster(root, [])
  const count = (where: string) => Number(primary.psql(`SELECT count(*) FROM pg_stat_replication WHERE ${where}`))
  const waitFor = async (where: string) => {
    for (let tries = 0; count(where) === 0; tries++) {
      if (tries === 300) throw new Error('The standby did not follow its primary in time.')
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
  await waitFor("state = 'streaming'")
  primary.psql("ALTER SYSTEM SET synchronous_standby_names = '*'")
  primary.psql('SELECT pg_reload_conf()')
  await waitFor("sync_state = 'sync'")
  const promote = () => void run('pg_ctl', ['promote', '-w', '-t', '60', '-D', standby.directory])
  return { ...standby, promote }
}

/** A cluster whose tables are on a disk of their own, of this many megabytes; undefined if this user may not mount one. */
export async function openSmallDisk(megabytes: number): Promise<PostgresCluster | undefined> {
  const root = makeRoot()
  const data = join(root, 'data')
  mkdirSync(data)
  const { uid, gid } = statSync(root)
  const options = `size=${megabytes}m,uid=${uid},gid=${gid},mode=0700`
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', data]).status !== 0) {
    rmSync(root, { recursive: true })
    return undefined
  }
  const unmount = () => void spawnSync('umount', ['-l', data])
  try {
    // A full disk of the log would end Postgres, which is another fault.
    run('initdb', ['-D', data, '--waldir', join(root, 'wal'), ...initOptions])
    const cluster = await startCluster(root, [])
    const remove = () => {
      cluster.stop('immediate')
      unmount()
      cluster.remove()
    }
    return { ...cluster, remove }
  } catch (error) {
    unmount()
    throw error
  }
}

function makeRoot(): string {
  const root = mkdtempSync(join(tmpdir(), 'toolpact-postgres-'))
  if (isRoot) {
    const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
    chownSync(root, id('-u'), id('-g'))
    chmodSync(root, 0o700)
  }
  return root
}

async function startCluster(root: string, settings: readonly string[]): Promise<PostgresCluster> {
  const directory = join(root, 'data')
  const port = await findPort()
  const given = ['-c', 'listen_addresses=127.0.0.1', '-c', `port=${port}`, '-c', `unix_socket_directories=${root}`]
  const options = [...given, ...settings.flatMap((setting) => ['-c', setting])].join(' ')

  function start() {
    run('pg_ctl', ['start', '-w', '-t', '120', '-D', directory, '-l', join(root, 'log'), '-o', options])
  }

  function stop(mode: 'fast' | 'immediate' = 'fast') {
    run('pg_ctl', ['stop', '-w', '-t', '120', '-m', mode, '-D', directory])
  }

  start()
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  return {
    url,
    port,
    directory,
    start,
    stop,
    psql: (sql) => run('psql', ['-h', '127.0.0.1', '-p', `${port}`, '-U', 'postgres', '-Atq', '-v', 'ON_ERROR_STOP=1', '-c', sql]), // biome-ignore format: one line
    kill() {
      process.kill(Number(readFileSync(join(directory, 'postmaster.pid'), 'utf8').split('\n')[0]), 'SIGKILL')
    },
    psqlIn: (url, sql) => run('psql', [url, '-Atq', '-v', 'ON_ERROR_STOP=1', '-c', sql]),
    async hold(sql) {
      const client = postgres(url, { max: 1, onnotice: () => {} })
      const held = await client.reserve()
      await held.unsafe(`BEGIN; ${sql}`)
      return async () => {
        await held.unsafe('ROLLBACK')
        held.release()
        await client.end()
      }
    },
    remove() {
      try {
        if (existsSync(join(directory, 'postmaster.pid'))) stop('immediate')
      } catch {
        // It was killed.
      }
      rmSync(root, { recursive: true, force: true })
    },
  }
}

function run(program: string, args: readonly string[]): string {
  const path = join(programs!, program)
  const [command, ...all] = isRoot ? ['runuser', '-u', 'postgres', '--', path, ...args] : [path, ...args]
  // The server that pg_ctl starts must not hold a pipe of this process.
  const stdio = program === 'pg_ctl' ? 'ignore' : 'pipe'
  const done = spawnSync(command!, all, { encoding: 'utf8', cwd: tmpdir(), stdio })
  if (done.status !== 0) throw new Error(`${program} failed: ${done.error?.message ?? done.stderr}`)
  return (done.stdout ?? '').trim()
}

/** The newest version that is installed as Debian does, else what the path finds. */
function findPrograms(): string | undefined {
  const base = '/usr/lib/postgresql'
  const versions = existsSync(base) ? readdirSync(base).sort((a, b) => Number(b) - Number(a)) : []
  const folders = [...versions.map((version) => join(base, version, 'bin')), ...(process.env.PATH ?? '').split(':')]
  return folders.find((folder) => ['initdb', 'pg_ctl', 'psql'].every((program) => existsSync(join(folder, program))))
}

async function findPort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}
