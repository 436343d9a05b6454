import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { afterAll, describe, expect, test } from 'vitest'
import { commands } from '../../src/cli/main.ts'
import { widthOf } from '../../src/runtime/approval/text/wrap.ts'
import { openMcpFolder } from '../helpers/open-mcp-folder.ts'
import { hasTmux, openScreens } from '../helpers/open-screens.ts'
import { entries } from '../helpers/run-command.ts'

/** A server with long names and descriptions, also in wide characters. */
const server = `
const tools = [
  { name: 'search_the_whole_catalogue_of_documents', title: 'Search', description: 'Searches the whole catalogue of documents for words, and returns those that fit best. It is fast.',
    inputSchema: { type: 'object', properties: { words: { type: 'string', description: 'What to look for, in any language that the catalogue knows; several words are all looked for.' } }, required: ['words'] },
    outputSchema: { type: 'object', properties: { found: { type: 'array', items: { type: 'string' } } } } },
  { name: 'note', description: '記録します。 文書の目録に 新しい項目を追加し、 必要であれば 既存の項目を 置き換えて、 結果を返します 🎉 とても便利な 道具です。', inputSchema: { type: 'object' } },
]
require('node:readline').createInterface(process.stdin).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  if (id === undefined) return
  const result = method === 'initialize' ? { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'catalogue', version: '1.0.0' } }
    : method === 'tools/list' ? { tools } : method === 'tools/call' ? { content: [], structuredContent: { found: [] } } : {}
  process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n')
})`

const opened = openMcpFolder({
  'server.cjs': server,
  'toolpact.json': {
    toolsets: ['workspace', 'learning', 'catalogue', 'a-server-that-is-not-here'],
    mcpServers: {
      catalogue: { command: process.execPath, args: ['server.cjs'], approval: 'never', withoutOutputSchema: 'opaque' },
      'a-server-that-is-not-here': { command: 'no/such/program', args: ['--with', 'some', 'arguments'] },
      'of-every-day': { url: 'https://tracker.example/mcp', disabled: true },
    },
  },
})
const { folder, command, start, close } = opened
const env = { ...opened.env, NO_PAGER: '1', COLUMNS: undefined, CI: undefined }
const screens = openScreens({ folder, env })
afterAll(() => {
  screens.close()
  close()
})

describe.skipIf(!hasTmux)('on a terminal (skipped where tmux is absent)', () => {
  test('every command fits 80 and 120 columns, without a broken word', { timeout: 400_000 }, async () => {
    await prepare()
    const waiting = start(['call', 'workspace.create_file', 'path=notes/today/a-file-with-a-long-name.md', 'content=Some text.', '--wait', '380'], { env, during: () => {} }) // biome-ignore format: one line
    const id = await findQuestion()
    const lines = [...(await toHelpLines()), ...toLines(id, await findCall())]
    writeFileSync(join(folder, 'lines.json'), JSON.stringify(lines))
    const [narrow, usual, wide] = await Promise.all([80, 120, 500].map((columns) => render(columns, lines)))
    await command('approvals', 'deny', id)
    await waiting

    const faults = [narrow!, usual!].flatMap(({ columns, outputs }) =>
      outputs.flatMap((output, index) => {
        const words = toWords(wide!.outputs[index]!)
        const tooWide = output.split('\n').filter((line) => widthOf(line) > columns)
        const broken = toWords(output).filter((word) => !words.includes(word))
        return [...tooWide, ...broken].map((fault) => `toolpact ${lines[index]!.join(' ')} at ${columns}: ${fault}`)
      }),
    )
    expect(faults).toEqual([])
    for (const { outputs } of [narrow!, usual!]) {
      const outputOf = (...args: string[]) => outputs[lines.findIndex((line) => line.join(' ') === args.join(' '))]!
      expect(outputOf('ledger')).toMatch(/learning\.hello .*succeeded/)
      expect(outputOf('ledger')).toMatch(/learning\.hello .*refused: invalid_input/)
      expect(outputOf('list')).toMatch(/learning\.hello +read_only .*A simple greeting tool/)
      expect(outputOf().split('\n').length).toBeLessThanOrEqual(13)
      expect(outputOf()).toMatch(/Servers +catalogue, a-server-that-is-not-here/)
      expect(outputOf()).toMatch(/Questions +1 call waiting/)
      for (const [index, line] of lines.entries())
        if (line.includes('--help')) expect(outputs[index]!.split('\n').length, line.join(' ')).toBeLessThanOrEqual(45)
    }
  })

  test('output that is longer than the screen goes to the pager, unless it is not wanted', async () => {
    const line = `"${process.execPath}" "${entries.toolpact}" list --no-config --toolset workspace --toolset learning`
    const pager = `NO_PAGER= TOOLPACT_PAGER='tee paged.txt | tail -n 1; echo paged:$?'`
    await screens.open('pager', `stty rows 10; ${pager} ${line}`, 80).until(/paged:0\s+done:0/)
    expect(readFileSync(join(folder, 'paged.txt'), 'utf8')).toContain('workspace.read_file')
    const direct = await screens.open('direct', `stty rows 10; ${pager} ${line} --no-pager`, 80).until('done:0')
    expect(direct).not.toContain('paged:')
    const missing = await screens
      .open('missing', `stty rows 10; NO_PAGER= PAGER=no-such-pager ${line}`, 80)
      .until('done:0')
    expect(missing).toContain('learning.hello')
    const short = await screens.open('short', `${pager} ${line.replace('--toolset workspace', '')}`, 80).until('done:0')
    expect(short).not.toContain('paged:')
  })
})

/** Calls, rules, a token and a lock to show. */
async function prepare() {
  for (const args of [
    ['trust', '--yes'],
    ['call', 'learning.hello', 'name=Ada'],
    ['call', 'learning.hello', 'name=1', 'no_such_parameter=2'],
    ['call', 'catalogue.search_the_whole_catalogue_of_documents', 'words=a'],
    ['rules', 'add', 'create_file', 'path: notes/**/*.txt', '--expires', '7d', '--description', 'Notes may be created without asking, since they are in a folder that is kept in git and reviewed.'], // biome-ignore format: one line
    ['token', 'ci'],
    ['lock'],
  ])
    await command(...args)
}

async function findQuestion(): Promise<string> {
  for (;;) {
    const [question] = JSON.parse((await command('approvals', '--json')).stdout) as { id: string }[]
    if (question) return question.id
  }
}

/** The help of every command and of each of its actions. */
async function toHelpLines(): Promise<string[][]> {
  const helps = Object.entries(commands).map(async ([name, { load }]) => [
    [name, '--help'],
    ...Object.keys((await load()).actions ?? {}).map((action) => [name, action, '--help']),
  ])
  return [[], ['help'], ['help', 'options'], ...(await Promise.all(helps)).flat()]
}

/** The first call: others are made meanwhile. */
async function findCall(): Promise<string> {
  const [first = ''] = (await command('ledger', '--json')).stdout.split('\n')
  return (JSON.parse(first) as { callId: string }).callId
}

function toLines(question: string, call: string): string[][] {
  const tool = 'catalogue.search_the_whole_catalogue_of_documents'
  const lines = `
    list
    list --search words
    show workspace.create_file
    show ${tool}
    ledger
    ledger show ${call}
    ledger --verify
    rules
    rules test create_file path=notes/a.txt content=x
    rules simulate --last 10
    approvals
    approvals show ${question}
    trust list
    token list
    mcp
    mcp inspect
    mcp inspect catalogue
    lock --check
    diff toolpact.lock
    check
    connect
    sessions
    replay
    test learning.hello --seed 1
    call learning.hello name=Ada
    call learning.hello nme=Ada
    show no_such_tool
    lst
    mcp inspect no-such-server
    rules add create_file .*
    ledger --raw`
  return lines.trim().split('\n').map((line) => line.trim().split(' ')) // biome-ignore format: one line
}

interface Rendered {
  readonly columns: number
  readonly outputs: readonly string[]
}

async function render(columns: number, lines: readonly (readonly string[])[]): Promise<Rendered> {
  const file = join(folder, `rendered-${columns}.json`)
  const line = `"${process.execPath}" "${entries.terminal}" lines.json "${file}"`
  await screens.open(`at-${columns}`, line, columns).until('done:0', 350_000)
  const seen = JSON.parse(readFileSync(file, 'utf8')) as Rendered
  expect(seen).toMatchObject({ columns, outputs: { length: lines.length } })
  return { columns, outputs: seen.outputs.map((output) => stripVTControlCharacters(output)) }
}

/** Words, without the marks that continue or explain a command. Long words, such as JSON, may break after punctuation. */
function toWords(text: string): string[] {
  return (
    text
      .split(/\s+/)
      .flatMap((word) => (word.length > 50 || /[{"/:,]/.test(word) ? word.split(/(?<=[,;:/.|&?=)}\]])/) : [word]))
      // Ids of calls, numbers and times differ from run to run.
      .map((word) => word.replaceAll(/[\da-f]{8,}|<?\d+(\.\d+)?/g, '0').replace(/^m?s$/, 's'))
      .filter((word) => word !== '\\' && word !== '#')
  )
}
