import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { readingInputs } from '../../src/tool-parts/html/reading-inputs.ts'
import { openClient, type ToolClient } from '../clients/open-client.ts'
import { useServeFolders } from '../helpers/open-serve.ts'
import { entries } from '../helpers/run-command.ts'
import { takePort } from '../helpers/take-port.ts'
import { modelServerCommand, watchServers } from '../helpers/watch-servers.ts'

/** The requirements document of these toolsets. */
const folder = new URL('../../../shared/seeds/', import.meta.url)
const openFolder = useServeFolders()

interface Step {
  readonly tool: string
  readonly input: Record<string, unknown>
  /** What comes back: a part of the output, or the code and the status of an error. */
  readonly output?: object
  readonly error?: readonly [code: string, status: number]
}

interface Row {
  readonly toolset: string
  readonly tools: readonly string[]
  /** Opens what the tools reach, and says what the config must be and what to call. */
  readonly open: () => Promise<{
    readonly config: object
    readonly environment?: object
    readonly steps: readonly Step[]
  }>
}

const rows: readonly Row[] = [
  {
    toolset: 'web-fetch',
    tools: ['search.web', 'web.fetch'],
    async open() {
      const address = await openSite()
      return {
        config: {
          policy: { allowHosts: [address] },
          'web-fetch': { search: { provider: 'searxng', url: `http://${address}` } },
        },
        steps: [
          {
            tool: 'search.web',
            input: { query: 'ports', max_results: 1 },
            output: { results: [{ title: 'Ports', url: 'https://a.example/', snippet: 'About ports.', date: null }] },
          },
          { tool: 'search.web', input: { query: ' ' }, error: ['invalid_query', 400] },
          {
            tool: 'web.fetch',
            input: { url: `http://${address}/page` },
            output: { final_url: `http://${address}/page`, clean_text: expect.stringContaining('harbour') },
          },
          { tool: 'web.fetch', input: { url: `http://${address}/none` }, error: ['fetch_failed', 502] },
        ],
      }
    },
  },
  {
    toolset: 'transcript-clean',
    tools: ['transcript.clean'],
    open: async () => ({
      config: { 'transcript-clean': { rulesOnly: true } },
      steps: [
        {
          tool: 'transcript.clean',
          input: { text: 'Ada: Um, we we need 3 of them.' },
          output: { clean_text: expect.stringContaining('need 3 of them') },
        },
        { tool: 'transcript.clean', input: { text: '' }, error: ['invalid_input', 400] },
      ],
    }),
  },
  {
    toolset: 'mlxctl',
    tools: ['mlx.load', 'mlx.unload'],
    async open() {
      const port = await takePort()
      const model = 'good/model'
      return {
        config: { mlxctl: { driver: 'process', command: modelServerCommand } },
        environment: watchServers().environment,
        steps: [
          { tool: 'mlx.load', input: { model, port: 8140 }, error: ['invalid_port', 400] },
          { tool: 'mlx.unload', input: { port }, error: ['not_listening', 404] },
          { tool: 'mlx.load', input: { model: 'missing/model', port }, error: ['model_not_found', 404] },
          { tool: 'mlx.load', input: { model: 'crashing/model', port }, error: ['launch_failed', 500] },
          { tool: 'mlx.load', input: { model, port }, output: { ok: true, model, port } },
          { tool: 'mlx.load', input: { model, port }, error: ['port_busy', 409] },
          { tool: 'mlx.unload', input: { port }, output: { ok: true, port } },
        ],
      }
    },
  },
]

describe.each(rows)('$toolset, served alone', ({ toolset, tools, open }) => {
  test('over stdio it has the names and schemas of its document, and does what it says', async () => {
    const { config, environment, steps } = await open()
    const { folder, env } = openFolder()
    const args = [entries.toolpact, 'serve', '--stdio', '--toolset', toolset, ...write(folder, config), '--yes']
    const client = await openClient('v2', { args, env: { ...env, ...environment }, cwd: folder })
    onTestFinished(() => client.close())
    await expectDocumentedTools(client, tools)
    for (const { tool, input, output, error } of steps) {
      const answer = await client.callTool(tool, input)
      if (error) expect(answer, tool).toMatchObject({ isError: true, _meta: { 'toolpact/error': { code: error[0] } } })
      else expect(answer.structuredContent, tool).toMatchObject(output!)
    }
  })

  test('over HTTP it has the same tools, and REST answers with the statuses of the document', async () => {
    const { config, environment, steps } = await open()
    const { folder, start, findToken } = openFolder()
    const { url, send } = await start(['--toolset', toolset, ...write(folder, config), '--yes'], {
      env: { ...environment },
    })
    const client = await openClient('v1', { url: `${url}/mcp`, token: await findToken() })
    onTestFinished(() => client.close())
    await expectDocumentedTools(client, tools)
    for (const { tool, input, output, error } of steps) {
      const { status, json } = await send(`/v1/tools/${tool}`, { body: JSON.stringify(input) })
      const expected = error ? { status: error[1], json: { code: error[0] } } : { status: 200, json: output }
      expect({ status, json }, tool).toMatchObject(expected)
    }
  })
})

function write(folder: string, config: object): string[] {
  const path = join(folder, 'config.json')
  writeFileSync(path, JSON.stringify(config))
  return ['--config', path]
}

/** Tools are listed without dots, and can also be called by the names in the document. */
const toListed = (name: string) => name.replace('.', '_')

async function expectDocumentedTools(client: ToolClient, names: readonly string[]) {
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name).toSorted()).toEqual(names.map(toListed).toSorted())
  if (!existsSync(folder)) return
  const schemas = readSchemas()
  for (const { name, inputSchema, outputSchema } of tools as unknown as readonly ListedTool[])
    expect({ name, input: withoutWords(inputSchema), output: withoutWords(outputSchema) }).toEqual(
      schemas.find((tool) => tool.name === name),
    )
}

interface ListedTool {
  readonly name: string
  readonly inputSchema: object
  readonly outputSchema: object
}

/** As the document has them: of each tool the first two blocks of JSON. */
function readSchemas() {
  const file = readdirSync(folder).find((name) => name.startsWith('002'))!
  const [, ...sections] = readFileSync(new URL(file, folder), 'utf8').split(/^## (?=\w+\.\w+$)/m)
  return sections.map((section) => {
    const [input, output] = [...section.matchAll(/```json\n([\s\S]*?)```/g)].map(([, text]) => JSON.parse(text!))
    // Its condition would always hold: docs/decisions/0026.
    const { allOf: _, ...kept } = output
    // Its default is in the schema: docs/decisions/0077.
    if (input.properties.max_results) input.properties.max_results.default = 10
    // Optional inputs beyond the document: docs/decisions/0355.
    if (input.properties.include_raw_html) Object.assign(input.properties, withoutWords(readingInputs))
    return { name: toListed(section.slice(0, section.indexOf('\n'))), input, output: kept }
  })
}

/** Without descriptions, and what says which JSON Schema it is: the document has neither. */
function withoutWords(schema: object): object {
  const { $schema: _, ...kept } = JSON.parse(JSON.stringify(schema), (key, value) =>
    key === 'description' && typeof value === 'string' ? undefined : value,
  )
  return kept
}

/** A search engine, and a page. */
async function openSite(): Promise<string> {
  const paragraph = '<p>Ships leave the harbour in the morning, and come back before the night if the wind is kind.</p>'
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url!, 'http://site.example')
    const results = [{ title: 'Ports', url: 'https://a.example/', content: 'About ports.' }]
    if (pathname === '/search') return response.end(JSON.stringify({ results }))
    if (pathname !== '/page') return response.writeHead(404).end()
    const page = `<title>Ports</title><article><h1>Ports</h1>${paragraph.repeat(5)}</article>`
    response.writeHead(200, { 'content-type': 'text/html' }).end(page)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}
