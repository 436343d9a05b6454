import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import type { ConfigSource } from '../../src/app/config/config.ts'
import { type SendOptions, send } from '../helpers/open-http.ts'
import { useServeFolders } from '../helpers/open-serve.ts'
import { hasPostgres, openPostgresCluster } from '../helpers/postgres-cluster.ts'

/** A Postgres with an ordinary user, and servers with tenants. Call once per test file. */
export async function usePostgresTenants() {
  const cluster = hasPostgres ? await openPostgresCluster() : undefined
  afterAll(() => cluster?.remove())
  const openServeFolder = useServeFolders()
  let databases = 0

  /** A folder with the config of a server and of its tenants, and a database of its own. */
  function openTenantFolder(config: ConfigSource, own: { readonly [tenant: string]: ConfigSource } = {}) {
    const database = `tenants${databases++}`
    if (databases === 1) cluster!.psql('CREATE ROLE toolpact LOGIN')
    cluster!.psql(`CREATE DATABASE ${database} OWNER toolpact`)
    const url = cluster!.url.replace('postgres@', 'toolpact@').replace(/\/postgres$/, `/${database}`)
    const opened = openServeFolder()
    const write = (path: string, content: object) => {
      mkdirSync(join(opened.folder, path, '..'), { recursive: true })
      writeFileSync(join(opened.folder, path), JSON.stringify(content))
    }
    write('server.json', { storage: { postgres: url }, ...config })
    for (const [name, content] of Object.entries(own)) write(`tenants/${name}/toolpact.json`, content)
    const named = ['--config', 'server.json']
    const run = (args: readonly string[], tenant?: string) =>
      opened.run([...args, ...named, ...(tenant === undefined ? [] : ['--tenant', tenant])])
    return {
      url,
      folder: opened.folder,
      write,
      run,
      token: async (tenant: string, caller = 'local') => (await run(['token', 'create', caller], tenant)).stdout.trim(),
      async start(args: readonly string[] = []) {
        const server = await opened.start([...named, ...args])
        /** As a request to a host. */
        const sendTo = (host: string, path: string, { headers, ...options }: SendOptions = {}) =>
          send(`${server.url}${path}`, { token: null, ...options, headers: { Host: host, ...headers } })
        return { ...server, sendTo }
      },
      /** Runs SQL as the user of the servers, as one tenant. */
      sql: (tenant: string, sql: string) => cluster!.psqlIn(url, `SET toolpact.tenant = '${tenant}'; SET search_path = toolpact; ${sql}`), // biome-ignore format: one line
    }
  }

  return { cluster, openTenantFolder }
}
