import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
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
  /** Runs SQL as the superuser, and returns the rows as text. */
  psql(sql: string): string
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

export async function openPostgresCluster(settings: readonly string[] = []): Promise<PostgresCluster> {
  const root = mkdtempSync(join(tmpdir(), 'toolpact-postgres-'))
  const directory = join(root, 'data')
  const port = await findPort()
  if (isRoot) {
    const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
    chownSync(root, id('-u'), id('-g'))
    chmodSync(root, 0o700)
  }
  run('initdb', ['-D', directory, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-sync', '--locale=C.UTF-8'])
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
      if (existsSync(join(directory, 'postmaster.pid'))) stop('immediate')
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
