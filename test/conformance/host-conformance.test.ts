import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, test } from 'vitest'
import type { UpstreamEntry } from '../../src/host/open-upstreams.ts'
import { type Serving, startServe } from '../clients/start-serve.ts'
import { until } from '../helpers/open-changeling.ts'
import { entries, openCommandFolder } from '../helpers/run-command.ts'
import { type CountedSuite, expectConforming, serverSuites } from './expect-conforming.ts'
import { runSuite } from './run-suite.ts'

const [oldest, middle, newest] = serverSuites as [CountedSuite, CountedSuite, CountedSuite]
const [hostOldest, hostMiddle, hostNewest] = [oldest, middle, newest].map((suite) => ({
  ...suite,
  baseline: `host-${suite.baseline}`,
})) as [CountedSuite, CountedSuite, CountedSuite]
const plain = [
  { ...oldest, baseline: 'plain-0.1.16-at-2025-11-25.yaml' },
  { ...middle, baseline: 'plain-0.2.0-at-2025-11-25.yaml' },
  { ...newest, baseline: 'plain-0.2.0-at-2026-07-28.yaml', scenario: 'server-stateless', count: 1 },
]

interface Behind {
  readonly args: string[]
  readonly protocol?: UpstreamEntry['protocol']
  readonly suites: readonly CountedSuite[]
}

// A person is asked once, by the host.
const own = [entries.conformance, 'serve', '--stdio', '--yes', '--no-config']

/** What stands behind the host, and the suites that are run through it. */
const hosts: { readonly [fixture: string]: Behind } = {
  'a server': { args: own, suites: [hostOldest, hostMiddle] },
  // The suite expects the names that the fixture gives its questions, and older revisions have none.
  'a server of 2026-07-28': { args: own, protocol: '2026-07-28', suites: [hostNewest] },
  'a server of the official SDK': { args: [entries.conformancePlain], suites: plain },
}

const commands = openCommandFolder()
afterAll(commands.close)

describe.each(Object.entries(hosts))('toolpact with %s behind it', (fixture, { suites, ...behind }) => {
  let server: Serving
  beforeAll(async () => {
    server = await serveFixture(join(commands.folder, fixture.replaceAll(' ', '-')), behind)
  })
  afterAll(() => server?.stop())

  test.each(suites)(
    'MCP $revision by the suite $version: every scenario passes but those that are expected to fail, with reasons',
    async (suite) => {
      expectConforming(`\`toolpact serve\` with ${fixture} behind it`, suite, await runSuite(suite, server.url))
    },
  )
})

async function serveFixture(folder: string, { args, protocol }: Omit<Behind, 'suites'>): Promise<Serving> {
  const env = { TOOLPACT_STATE_DIR: join(folder, 'state') }
  const entry: UpstreamEntry = {
    command: process.execPath,
    args,
    env,
    withoutOutputSchema: 'opaque',
    approval: 'reads',
    // The suites test that servers can ask for all of this.
    sampling: { through: 'client', approval: 'never' },
    roots: 'client',
    ...(protocol && { protocol }),
  }
  const config = join(folder, 'toolpact.json')
  mkdirSync(folder)
  writeFileSync(config, JSON.stringify({ mcpServers: { fixture: entry }, toolsets: ['fixture'] }))
  // No one answers the questions that the suite leaves in the queue.
  const options = { args: ['--no-token', '--wait', '1', '--config', config], env: commands.env, cwd: folder }
  const server = await startServe({ entry: entries.toolpact, ...options })
  await until(() => listsTools(server.url))
  return server
}

async function listsTools(url: string): Promise<boolean> {
  const response = await fetch(new URL('/v1/tools', url))
  return (await response.text()).includes('test_simple_text')
}
