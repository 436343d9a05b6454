import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { openMcpFolder } from '../helpers/open-mcp-folder.ts'
import { hasTmux, openScreens } from '../helpers/open-screens.ts'
import { entries } from '../helpers/run-command.ts'

const server = entries.changeling
const input = { type: 'object', properties: { text: { type: 'string' } }, additionalProperties: false }
const output = { type: 'object', properties: { said: { type: 'string' } }, required: ['said'] }

const definitions = [
  { name: 'echo', description: 'Says it.', inputSchema: input, outputSchema: output, annotations: { readOnlyHint: true } }, // biome-ignore format: one line
  { name: 'plain', description: 'Says it plainly.', inputSchema: input },
  { name: 'list', description: 'Lists it.', inputSchema: input, annotations: { readOnlyHint: true } },
  { name: 'hid\u200bden', description: 'x', inputSchema: input, outputSchema: output },
]

const folders: ReturnType<typeof openMcpFolder>[] = []
afterAll(() => {
  for (const folder of folders) folder.close()
})

/** A folder in which a server `one` can be started, and perhaps is in the config already. */
function openFolder(entry?: object) {
  const opened = openMcpFolder({ 'tools.json': definitions })
  folders.push(opened)
  if (entry) opened.write('my.json', { mcpServers: { one: { command: process.execPath, args: [server, 'tools.json'], ...entry } } }) // biome-ignore format: one line
  const start = ['--', process.execPath, server, 'tools.json']
  const config = () => JSON.parse(opened.read(entry ? 'my.json' : undefined)).mcpServers
  return { ...opened, start, config }
}

test.concurrent('a server that is added is connected to, and a line says what is withheld and what admits it', async () => {
  const { run, start, config } = openFolder()
  const added = await run('add', 'one', ...start)
  expect(added.code).toBe(0)
  expect(added.stderr).toContain('✓ one answers (2025-11-25): 4 tools, 1 admitted, 3 withheld.')
  expect(added.stderr).toContain('Note: 2 tools of one are withheld for declaring no output schema. Admit them as quoted data: toolpact mcp adopt one (with --approval reads, calls that look like reads do not ask)\n') // biome-ignore format: one line
  expect(config().one).not.toHaveProperty('withoutOutputSchema')
  const adopted = await run('adopt', 'one')
  expect(adopted).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('models read what they return, as quoted data'),
  })
  expect(config().one.withoutOutputSchema).toBe('opaque')
  expect((await run('adopt', 'one')).stdout).toContain('admitted already')
  const inspected = await run('inspect', 'one', '--json')
  const [status] = JSON.parse(inspected.stdout)
  expect(status).toMatchObject({ name: 'one', state: 'ready', revision: '2025-11-25', listed: 4, answersInMs: expect.any(Number) }) // biome-ignore format: one line
  expect(status.admitted.map(({ name, output }: { name: string; output: string }) => [name, output])).toEqual([
    ['echo', 'structured'],
    ['plain', 'opaque'],
    ['list', 'opaque'],
  ])
})

test.concurrent('one answer admits the tools of every server, and of those that come later', async () => {
  const { run, start, write, read } = openFolder({ withoutOutputSchema: 'refuse' })
  const named = ['--config', 'my.json']
  const two = { command: process.execPath, args: [server, 'tools.json'] }
  write('my.json', { mcpServers: { one: { ...two, withoutOutputSchema: 'refuse' }, two } })
  const adopted = await run('adopt', '--all', '--approval', 'reads', ...named)
  expect(adopted).toMatchObject({ code: 0, stdout: expect.stringMatching(/of all servers .* Calls that look like reads run, all others ask\./) }) // biome-ignore format: one line
  expect(JSON.parse(read('my.json'))).toMatchObject({
    withoutOutputSchema: 'opaque',
    mcpServers: { one: { withoutOutputSchema: 'opaque', approval: 'reads' }, two: { approval: 'reads' } },
  })
  expect((await run('adopt', '--all', ...named)).stdout).toContain('admitted already')
  const added = await run('add', 'three', '--approval', 'reads', ...named, ...start)
  expect(added.stderr).toContain('✓ three answers (2025-11-25): 4 tools, 3 admitted, 1 withheld.')
  expect(added.stderr).not.toContain('toolpact mcp adopt')
  expect(JSON.parse(read('my.json')).mcpServers.three).toMatchObject({ approval: 'reads' })
})

test.concurrent('adopt is for a server or for all, and knows three ways to approve', async () => {
  const { run } = openFolder({})
  for (const [args, words] of [
    [[], 'needs the name of a server, or --all'],
    [['one', '--all'], 'needs the name of a server, or --all'],
    [['one', '--approval', 'maybe'], 'Use reads, ask, never.'],
  ] as const)
    expect(await run('adopt', ...args, '--config', 'my.json')).toMatchObject({ code: 2, stderr: expect.stringContaining(words) }) // biome-ignore format: one line
})

test.concurrent('an unreachable server stays in the config, and is reported', async () => {
  const { run, config } = openFolder()
  const added = await run('add', 'gone', '--', 'no-such-program-anywhere')
  expect(added).toMatchObject({ code: 0, stderr: expect.stringMatching(/✗ gone is not available: .* It stays in the config\./) }) // biome-ignore format: one line
  expect(config()).toEqual({ gone: { command: 'no-such-program-anywhere' } })
  const inspected = await run('inspect')
  expect(inspected.code).toBe(1)
  expect(inspected.stdout).toMatch(/^gone +failed /m)
})

test.concurrent('list says which servers are not there, and of which tools are withheld', async () => {
  const { command, write } = openFolder()
  const one = { command: process.execPath, args: [server, 'tools.json'] }
  write('my.json', { mcpServers: { one, gone: { command: 'no-such-program' } } })
  const chosen = ['--toolset', 'one', '--toolset', 'gone']
  const { code, stdout, stderr } = await command('list', '--config', 'my.json', ...chosen)
  expect(code).toBe(0)
  expect(stdout).toContain('one.echo')
  expect(stderr).toContain('3 tools of one are withheld. See why: toolpact mcp inspect one')
  expect(stderr).toContain('gone is not available: There is no program "no-such-program".')
})

test.concurrent('a table shows every server, and below it why tools are withheld and what to do', async () => {
  const { run } = openFolder({})
  const { code, stdout } = await run('inspect', '--config', 'my.json')
  expect(code).toBe(0)
  const lines = stdout.split('\n')
  expect(lines[0]).toMatch(/^server +state +revision +admitted +withheld +flagged +asks\/100 +latency +started in$/)
  expect(lines[1]).toMatch(/^one +ready +2025-11-25 +1 +3 +0 +~100 +<?\d/)
  expect(stdout).toContain(
    'one  plain, list: The tool declares no outputSchema, and such tools are not admitted as quoted data.',
  )
  expect(stdout).toContain('  Admit them as quoted data: toolpact mcp adopt one.')
  expect(stdout).not.toMatch(/[\u200b\u001b]/)
})

test.concurrent('one server is shown tool by tool', async () => {
  const { run } = openFolder({ withoutOutputSchema: 'opaque', exclude: ['list'], approval: 'ask' })
  const { stdout } = await run('inspect', 'one', '--config', 'my.json')
  expect(stdout).toMatch(/✓ {2}echo +dangerous +asks +own schema +unlocked/)
  expect(stdout).toMatch(/✓ {2}plain +dangerous +asks +quoted data +unlocked/)
  expect(stdout).toMatch(/✗ {2}list\n +The operator excludes the tool\.\n/)
  expect(stdout).toContain('It calls itself changeling 1.0.0.')
  expect(stdout).toContain('flagged: overrides-rules Its instructions:')
})

test.concurrent('a server that is disabled, unknown or not trusted is not started', async () => {
  const { run, write, folder } = openFolder({ disabled: true })
  const named = ['--config', 'my.json']
  expect(await run('inspect', 'one', ...named)).toMatchObject({ code: 2, stderr: expect.stringContaining('disabled') })
  expect(await run('inspect', 'oen', ...named)).toMatchObject({ code: 2, stderr: expect.stringContaining('Did you mean one?') }) // biome-ignore format: one line
  expect(await run('inspect', ...named)).toMatchObject({ code: 0, stderr: expect.stringContaining('No servers') })
  write('toolpact.json', { mcpServers: { bad: { command: 'touch', args: ['ran'] } } })
  expect(await run('inspect')).toMatchObject({ code: 2, stderr: expect.stringContaining('is not trusted') })
  expect(existsSync(join(folder, 'ran'))).toBe(false)
})

test.concurrent('a schema is proposed from what a tool returns, kept in the lock, and enforced from then on', async () => {
  const { run, command, read } = openFolder({})
  const named = ['--config', 'my.json']
  const samples = ['--input', '{"text":"a"}', '--input', '{"text":"b"}']
  const refused = await run('adopt', 'one', 'plain', ...samples, '--no-wait', ...named)
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('The call failed (approval_denied)') })
  const attached = await run('adopt', 'one', 'plain', ...samples, '--yes', '--json', ...named)
  expect(JSON.parse(attached.stdout)).toEqual({
    server: 'one',
    tool: 'plain',
    schema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'], additionalProperties: false }, // biome-ignore format: one line
    doubts: [],
    attached: true,
  })
  expect(JSON.parse(read('toolpact.lock')).servers.one.tools.plain.overlay.output.required).toEqual(['text'])
  const call = await command('call', 'one.plain', 'text=c', '--yes', '--json', ...named)
  expect(JSON.parse(call.stdout)).toMatchObject({ success: true, text: 'plain c' })
  const ledger = await command('ledger', '--json')
  expect(ledger.stdout.match(/"one\.plain"/g)?.length).toBeGreaterThanOrEqual(3)
  const narrow = JSON.stringify({ type: 'object', properties: { other: { type: 'string' } }, required: ['other'] })
  expect(await run('adopt', 'one', 'plain', '--schema', narrow, '--yes', ...named)).toMatchObject({ code: 0 })
  const violating = await command('call', 'one.plain', 'text=c', '--yes', '--json', ...named)
  expect(JSON.parse(violating.stdout)).toMatchObject({ success: false, error: { code: 'invalid_output' } })
  expect(await run('adopt', 'one', 'plain', ...samples, '--yes', ...named)).toMatchObject({ code: 0 })
  expect(await command('call', 'one.plain', 'text=c', '--yes', ...named)).toMatchObject({ code: 0 })
})

test.concurrent('results that were recorded before will do, and what does not fit is refused', async () => {
  const { run, write } = openFolder({})
  const named = ['--config', 'my.json', '--json']
  write('result.json', { content: [{ type: 'text', text: '{"rows":[{"id":1}]}' }] })
  const shown = await run('adopt', 'one', 'plain', '--result', 'result.json', ...named)
  expect(shown).toMatchObject({ code: 3, stderr: expect.stringContaining('Add --yes') })
  expect(JSON.parse(shown.stdout)).toMatchObject({
    attached: false,
    schema: { required: ['rows'] },
    doubts: [expect.stringContaining('one sample')],
  })
  const wrong: [args: string[], words: string][] = [
    [[], 'Give inputs to call it with: --input'],
    [['--input', '[1]'], '--input needs an object'],
    [['--input', '{'], 'The JSON after --input is not valid'],
    [['--result', 'none.json'], 'none.json cannot be read'],
    [['--schema', '{"type":"array"}'], 'not of type object'],
    [['--schema', '{"type":"object","pattern":5}'], 'The schema cannot be used'],
    [['--schema', '{}', '--input', '{}'], 'not both'],
  ]
  for (const [args, words] of wrong)
    expect(await run('adopt', 'one', 'plain', ...args, ...named)).toMatchObject({ code: 2, stderr: expect.stringContaining(words) }) // biome-ignore format: one line
})

describe.skipIf(!hasTmux)('at a terminal', () => {
  async function answer(
    folder: ReturnType<typeof openFolder>,
    ...answers: readonly [question: string | RegExp, key: string][]
  ) {
    const screens = openScreens({ folder: folder.folder, env: folder.env })
    try {
      const words = [process.execPath, entries.toolpact, 'mcp', 'add', 'one', ...folder.start]
      const screen = screens.open('add', words.map((word) => `"${word}"`).join(' '))
      // Where servers can be confined, that is asked first.
      await screen.until(/Confine one\b.*\(y|How may they/s)
      if (screen.lines().join('\n').includes('Confine one')) screen.type('y', 'Enter')
      for (const [question, key] of answers) {
        await screen.until(question)
        screen.type(...(key === '' ? ['Enter'] : [key, 'Enter']))
      }
      await screen.until('done:0')
      return screen.lines().join('\n')
    } finally {
      screens.close()
    }
  }

  test('adding a server asks once about its outputs and its approval, and keeps both', async () => {
    const folder = openFolder()
    const shown = await answer(
      folder,
      ['How may they be used? (r/a/n/l/v,', 'x'],
      [/Type one of the letters.*\nHow may/s, 'v'],
      [/all others: .*\nHow may/s, 'a'],
    )
    expect(shown).toContain('4 tools of one: 2 look like reads, by name and annotation.')
    expect(shown).toContain('2 of them declare no output schema.')
    expect(folder.config().one).toMatchObject({ withoutOutputSchema: 'opaque', approval: 'ask' })
    if (shown.includes('Confine one')) expect(folder.config().one).toMatchObject({ write: [], network: 'none' })
    const listed = await folder.run('list')
    expect(listed.stdout).toContain('quotes what has no output schema, always asks')
    expect(listed.stderr).toBe('')
  })

  test('tools without an output schema can be left out', async () => {
    const folder = openFolder()
    await answer(folder, ['How may they be used?', 'l'])
    expect(folder.config().one).toMatchObject({ withoutOutputSchema: 'refuse', approval: 'reads' })
  })

  test('Enter decides nothing, and leaves the safe defaults', async () => {
    const folder = openFolder()
    await answer(folder, ['Enter: decide later', ''])
    expect(folder.config().one).not.toHaveProperty('withoutOutputSchema')
    expect(folder.config().one).not.toHaveProperty('approval')
  })
})

test.concurrent('a shell completes the names of servers, and starts none for it', async () => {
  const { command, write } = openFolder()
  write('my.json', { mcpServers: { one: { command: 'no-such-program' }, other: { url: 'http://127.0.0.1:9/' } } })
  const words = ['completion', 'words', '--config', 'my.json', '--', 'mcp', 'inspect', 'o']
  expect(await command(...words)).toMatchObject({ code: 0, stdout: 'one\nother\n' })
})
