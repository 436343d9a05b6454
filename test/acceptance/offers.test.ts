import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openClient, type ToolClient } from '../clients/open-client.ts'
import { type Serving, startServe } from '../clients/start-serve.ts'
import { entries, openCommandFolder } from '../helpers/run-command.ts'
import { hasRealServers, installRealServers } from '../real-servers/installed.ts'
import { openRealFolder } from '../real-servers/real-folder.ts'
import { realServers } from '../real-servers/servers.ts'

const canRun = hasRealServers() || process.env.CI !== undefined
const inspector = fileURLToPath(
  new URL('../../node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js', import.meta.url),
)

/** Of each server: a prompt with its arguments, and resources whose contents stay the same. */
const offers: readonly { server: string; prompt?: [string, Record<string, string>]; uris: readonly string[] }[] = [
  {
    server: 'everything',
    prompt: ['args-prompt', { city: 'Paris' }],
    uris: ['demo://resource/static/document/features.md'],
  },
  {
    server: 'shadcn',
    prompt: ['create-dashboard', { dashboardType: 'sales' }],
    uris: ['resource:get_components', 'resource-template:get_installation_guide?buildTool=vite&packageManager=npm'],
  },
  { server: 'flowbite', uris: ['flowbite://quickstart/file', 'flowbite://components/badge'] },
  { server: 'memory', uris: ['memory://knowledge-graph'] },
  { server: 'searxng', uris: ['help://usage-guide'] },
]

describe.skipIf(!canRun)(
  'prompts and resources of real servers (node scripts/install-real-servers.ts installs them)',
  () => {
    const commands = openCommandFolder()
    const direct = new Map<string, ToolClient>()
    const through = new Map<string, ToolClient>()
    let folder: ReturnType<typeof openRealFolder>
    let serving: Serving
    let http: string[]
    beforeAll(async () => {
      installRealServers()
      folder = openRealFolder()
      const servers = realServers.filter(({ name }) => offers.some(({ server }) => server === name))
      const toEntry = (server: (typeof servers)[number]) => ({ ...folder.toEntry(server), withoutOutputSchema: 'opaque', approval: 'never' }) // biome-ignore format: one line
      const mcpServers = Object.fromEntries(servers.map((server) => [server.name, toEntry(server)]))
      const config = join(commands.folder, 'toolpact.json')
      writeFileSync(config, JSON.stringify({ mcpServers, toolsets: Object.keys(mcpServers) }))
      const args = ['--config', config]
      serving = await startServe({ entry: entries.toolpact, args, env: commands.env, cwd: commands.folder })
      const token = (await commands.run(['token', 'create', 'local'])).stdout.trim()
      http = [serving.url, '--transport', 'http', '--header', `Authorization: Bearer ${token}`]
      const stdio = { args: [entries.toolpact, 'serve', '--stdio', ...args], env: commands.env, cwd: commands.folder }
      for (const sdk of ['v1', 'v2'] as const) {
        through.set(`${sdk} over HTTP`, await openClient(sdk, { url: serving.url, token }))
        through.set(`${sdk} over stdio`, await openClient(sdk, stdio))
      }
      for (const server of servers) {
        const { args, env, cwd } = folder.toEntry(server)
        direct.set(server.name, await openClient('v1', { args, env: { ...commands.env, ...env }, cwd }))
      }
      for (const client of through.values()) await client.listTools()
    }, 600_000)
    afterAll(async () => {
      await Promise.all([...direct.values(), ...through.values()].map((client) => client.close()))
      await serving?.stop()
      folder?.close()
      commands.close()
    })

    const toServed = (server: string, uri: string) =>
      uri.startsWith('ui://') ? `ui://${server}/${uri.slice(5)}` : `toolpact://${server}/${uri}`
    /** Servers that do not offer a list refuse it. */
    const orNone = (list: Promise<readonly string[]>) => list.catch(() => [])

    describe.each(['v1 over stdio', 'v1 over HTTP', 'v2 over stdio', 'v2 over HTTP'])(
      'the official client %s',
      (name) => {
        test.each(offers)('lists what $server lists', async ({ server }) => {
          const [itself, gateway] = [direct.get(server)!, through.get(name)!]
          const served = (uris: readonly string[]) => uris.map((uri) => toServed(server, uri))
          const ours = (uris: readonly string[]) => uris.filter((uri) => uri.includes(`://${server}/`))
          const resources = await itself.listResources()
          expect(resources).not.toEqual([])
          expect(ours(await gateway.listResources())).toEqual(served(resources))
          expect(ours(await gateway.listTemplates())).toEqual(served(await orNone(itself.listTemplates())))
          const prompts = await orNone(itself.listPrompts())
          const gathered = (await gateway.listPrompts()).filter((prompt) => prompt.startsWith(`${server}_`))
          expect(gathered).toEqual(prompts.map((prompt) => `${server}_${prompt}`))
        })

        test.each(offers)('gets and reads what $server gives', async ({ server, prompt, uris }) => {
          const [itself, gateway] = [direct.get(server)!, through.get(name)!]
          if (prompt) {
            const [name, input] = prompt
            expect(await gateway.getPrompt(`${server}_${name}`, input)).toEqual(await itself.getPrompt(name, input))
          }
          for (const uri of uris) {
            const [expected] = (await itself.readResource(uri)) as [Content]
            const [content] = (await gateway.readResource(toServed(server, uri))) as [Content]
            expect(content).toMatchObject({ uri: toServed(server, uri), text: expected.text })
            expect(content.mimeType).toBe(expected.mimeType)
          }
        })
      },
    )

    describe.each(['legacy', 'modern'])('the inspector, %s', (era) => {
      const inspect = async (...args: string[]) => {
        // Its settings are kept in the home directory.
        const env = { ...commands.env, HOME: commands.folder }
        const command = [inspector, '--cli', ...http, '--protocol-era', era, '--method', ...args]
        const { stdout } = await promisify(execFile)(process.execPath, command, { env, timeout: 150_000 })
        return JSON.parse(stdout)
      }

      test('lists, gets and reads', async () => {
        const { prompts } = await inspect('prompts/list')
        const { resources } = await inspect('resources/list')
        const { resourceTemplates } = await inspect('resources/templates/list')
        for (const { server, prompt } of offers) {
          if (prompt) expect(prompts.map(({ name }: { name: string }) => name)).toContain(`${server}_${prompt[0]}`)
          expect(resources.map(({ uri }: Content) => uri)).toContainEqual(expect.stringContaining(`://${server}/`))
        }
        expect(resourceTemplates).toHaveLength(4)
        const [everything, shadcn] = [direct.get('everything')!, direct.get('shadcn')!]
        const got = await inspect(
          'prompts/get',
          '--prompt-name',
          'everything_args-prompt',
          '--prompt-args',
          'city=Paris',
        )
        expect(got.messages).toEqual(await everything.getPrompt('args-prompt', { city: 'Paris' }))
        const uri = 'resource:get_components'
        const read = await inspect('resources/read', '--uri', toServed('shadcn', uri))
        const [expected] = (await shadcn.readResource(uri)) as [Content]
        expect(read.contents[0].text).toBe(expected.text)
      })
    })
  },
)

interface Content {
  readonly uri: string
  readonly text?: string
  readonly mimeType?: string
}
