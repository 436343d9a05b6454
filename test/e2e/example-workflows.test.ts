import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { openToolpact } from '../../src/app/app.ts'
import type { ConfigSource } from '../../src/app/config/config.ts'
import type { JsonObject } from '../../src/contract/json.ts'
import type { Approver } from '../../src/runtime/approval/approver.ts'
import { closeServersAfterEach, serve } from '../helpers/local-servers.ts'
import { makeFolder } from '../helpers/open-test-pipeline.ts'
import { openScriptedModel } from '../helpers/scripted-model.ts'

closeServersAfterEach()

const folder = fileURLToPath(new URL('../../examples/workflows', import.meta.url))

const says: { readonly [path: string]: string } = {
  '/tea': 'Tea is made by pouring hot water over the leaves of the tea plant. It was first drunk in China.',
  '/coffee': 'Coffee is brewed from roasted beans. It came to Europe in the seventeenth century.',
}

/** A site with two pages, a search engine that finds them, and a model that quotes one page rightly and one wrongly. */
async function open(toolsets: readonly string[], files: { readonly [path: string]: string } = {}) {
  const workspace = makeFolder()
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(workspace, path)), { recursive: true })
    writeFileSync(join(workspace, path), text)
  }
  const site: string = await serve((request, response) => {
    const url = request.url!
    if (url === '/v1/search') {
      const found = ['/tea', '/gone', '/coffee'].map((path) => ({ title: path, url: `http://${site}${path}`, snippet: '' })) // biome-ignore format: one line
      return response.end(JSON.stringify({ object: 'search', results: found }))
    }
    const text = says[url]
    if (text === undefined) return response.writeHead(404).end()
    response.writeHead(200, { 'content-type': 'text/html' })
    return response.end(`<html><title>${url}</title><body><article><h1>${url}</h1><p>${text.repeat(3)}</p></article></body></html>`) // biome-ignore format: one line
  })
  const points = [
    { point: 'Tea needs hot water.', quote: 'pouring hot water over\nthe leaves', url: `http://${site}/tea` },
    { point: 'Tea was invented in Rome.', quote: 'first drunk in Rome', url: `http://${site}/tea` },
    { point: 'Coffee is roasted.', quote: 'brewed from roasted beans', url: `http://${site}/coffee` },
  ]
  const model = await openScriptedModel([JSON.stringify({ points })])
  const asked: string[] = []
  const approver: Approver = async ({ binding }) => {
    asked.push(binding.tool)
    return { answer: 'yes', by: 'Ada' }
  }
  const config: ConfigSource = {
    policy: { allowHosts: [site] },
    model: { url: model.url, model: 'scripted' },
    'web-fetch': { search: { provider: 'litellm', url: `http://${site}` } },
  }
  const toolpact = await openToolpact({ workspace, config, approver, storage: 'memory', contracts: [folder], toolsets: ['workflows', ...toolsets] }) // biome-ignore format: one line
  onTestFinished(async () => {
    await toolpact.close()
    await model[Symbol.asyncDispose]()
  })
  async function run(name: string, input: JsonObject) {
    const result = await toolpact.call(`workflows.${name}`, input)
    if (!result.success) throw new Error(JSON.stringify(result.error))
    return result.output as JsonObject
  }
  return { toolpact, run, site, asked, model, read: (path: string) => readFileSync(join(workspace, path), 'utf8') }
}

test('every example is served, so it passes the check', async () => {
  const { toolpact } = await open(['workspace', 'learning', 'web-fetch'])
  expect(await toolpact.catalog.withheld()).toEqual([])
  const ids = (await toolpact.catalog.all()).map(({ id }) => id)
  expect(ids).toEqual(expect.arrayContaining(['remember_pages', 'research', 'todo_report'].map((name) => `workflows.${name}`))) // biome-ignore format: one line
})

test('remember_pages fetches pages, leaves out those that are gone, and appends a summary to the memory', async () => {
  const { run, site, asked, read } = await open(['learning', 'web-fetch'])
  const urls = ['/tea', '/gone', '/coffee'].map((path) => `http://${site}${path}`)
  expect(await run('remember_pages', { urls })).toEqual({ pages: 2, points: 2, line_number: 1 })
  expect(asked).toContain('learning.write_memory_entry')
  const entry = JSON.parse(read('.claude/memory/progress_log.jsonl'))
  expect(entry).toMatchObject({ type: 'summary', points: [{ point: 'Tea needs hot water.' }, { point: 'Coffee is roasted.' }] }) // biome-ignore format: one line
})

test('research searches, reads the best pages, and keeps only points with a real quote', async () => {
  const { run, site, asked, model } = await open(['web-fetch'])
  const output = await run('research', { query: 'hot drinks' })
  expect(output.urls).toEqual([`http://${site}/tea`, `http://${site}/coffee`])
  expect(output.points).toMatchObject([{ point: 'Tea needs hot water.' }, { point: 'Coffee is roasted.' }])
  expect(asked).toEqual([])
  expect(model.received).toHaveLength(1)
})

test('todo_report writes what it finds, once a person agrees, and nothing without a TODO', async () => {
  const { run, asked, read } = await open(['workspace'], { 'src/a.ts': '// TODO: brew tea\n', 'b.md': 'TODO buy cups\n' }) // biome-ignore format: one line
  expect(await run('todo_report', { path: 'todos.md' })).toEqual({ todos: 2, written: ['todos.md'] })
  expect(read('todos.md')).toMatch(/^# TODOs\n\n2 found\.\n\n```text\n[\s\S]*b\.md:1: TODO buy cups[\s\S]*src\/a\.ts:1: .*brew tea/) // biome-ignore format: one line
  expect(asked).toContain('workspace.create_file')
  const none = await open(['workspace'], { 'a.ts': 'done\n' })
  expect(await none.run('todo_report', { path: 'todos.md' })).toEqual({ todos: 0, written: [] })
})
