import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { makeFolder } from '../../../../test/helpers/open-test-pipeline.ts'
import { probe } from '../../../capabilities/sandbox/probe.ts'
import type { JsonObject } from '../../../contract/json.ts'
import { openToolpact, type ToolpactOptions } from '../../app.ts'
import type { ConfigSource } from '../../config/config.ts'

const works = process.platform === 'linux' && 'driver' in (await probe())

let workspace: string
let stateDirectory: string
beforeEach(() => {
  workspace = realpathSync(makeFolder())
  stateDirectory = makeFolder()
})

const contract = (name: string) => ({
  name,
  description: 'Does something with a text, or with the path of a file, and returns what it found there.',
  risk: 'read_only',
  input: {
    type: 'object',
    additionalProperties: false,
    properties: { value: { type: 'string', description: 'What to do it with' } },
  },
  output: {
    type: 'object',
    additionalProperties: false,
    required: ['text'],
    properties: { text: { type: 'string', description: 'What was found' } },
  },
  errors: [{ code: 'not_there', status: 404, when: 'Nothing is there.', suggestion: 'Try another one.' }],
  limits: { timeoutMs: 20_000 },
  examples: [{ input: { value: 'x' }, output: { text: 'x' } }],
})

/** Writes a contract folder: a contract for each handler, and files. */
function make(
  name: string,
  handlers: { readonly [file: string]: string },
  files: { readonly [file: string]: string | object } = {},
) {
  // biome-ignore format: one line
  const folder = join(workspace, name)
  mkdirSync(folder, { recursive: true })
  for (const [file, code] of Object.entries(handlers)) {
    const stem = file.replace(/\.\w+$/, '')
    writeFileSync(join(folder, `${stem}.contract.json`), JSON.stringify(contract(stem)))
    writeFileSync(join(folder, file), code)
  }
  for (const [file, content] of Object.entries(files))
    writeFileSync(join(folder, file), typeof content === 'string' ? content : JSON.stringify(content))
  return folder
}

async function open(entries: readonly object[], options: ToolpactOptions = {}, config: object = {}) {
  const toolpact = await openToolpact({
    storage: 'memory',
    stateDirectory,
    workspace,
    config: { contracts: entries, ...config } as ConfigSource,
    ...options,
  })
  onTestFinished(() => toolpact.close())
  const call = async (tool: string, value = 'x', more: object = {}) => {
    const result = await toolpact.call(tool, { value }, more)
    return result.success ? (result.output as { text: string }).text : result.error
  }
  return { toolpact, call }
}

const reads = `import { readFileSync } from 'node:fs'
export const run = ({ value }) => ({ text: readFileSync(value, 'utf8') })`
const says = `export const run = ({ value }) => ({ text: value + ' from ' + process.pid + ' since ' + performance.timeOrigin })`

describe.skipIf(!works)('handlers of a confined folder (skipped where no sandbox works)', () => {
  test('run in a process of their own, which prints where it likes', async () => {
    const folder = make('tools', { 'say.js': `console.log('{"id":1}')\n${says}` })
    const { call } = await open([{ path: folder, network: 'none' }])
    const first = await call('tools.say')
    expect(first).toMatch(/^x from \d+ /)
    expect(first).not.toContain(String(performance.timeOrigin))
    expect(await call('tools.say')).toBe(first)
  })

  test('read what was granted and their own folder, and find neither ~/.ssh nor the state directory', async () => {
    const folder = make('tools', { 'look.js': reads }, { 'own.txt': 'own' })
    mkdirSync(join(workspace, 'notes'))
    writeFileSync(join(workspace, 'notes/a.txt'), 'granted')
    writeFileSync(join(workspace, 'beside.txt'), 'private')
    writeFileSync(join(stateDirectory, 'key'), 'private')
    const { call } = await open([{ path: folder, read: ['notes'] }], {}, {})
    // Paths of a config that is an object are relative to the workspace.
    expect(await call('tools.look', join(workspace, 'notes/a.txt'))).toBe('granted')
    expect(await call('tools.look', join(folder, 'own.txt'))).toBe('own')
    const refused = await call('tools.look', join(workspace, 'beside.txt'))
    expect(refused).toMatchObject({ code: 'internal' })
    expect((refused as { message: string }).message).toContain(
      `may not use ${join(workspace, 'beside.txt')}, which it was not granted. Do not repeat the call. The operator can allow it: add "${join(workspace, 'beside.txt')}" to "read" or "write" in the entry of tools under "contracts"`,
    )
    for (const path of [join(stateDirectory, 'key'), join(homedir(), '.ssh/id_rsa')])
      expect(await call('tools.look', path)).toMatchObject({ code: 'internal' })
  })

  test('write where they may, and never their own folder', async () => {
    const write = `import { writeFileSync } from 'node:fs'
export const run = ({ value }) => { writeFileSync(value, 'x'); return { text: 'written' } }`
    const folder = make('tools', { 'put.js': write })
    mkdirSync(join(workspace, 'drafts'))
    const { call } = await open([{ path: folder, write: ['.'] }])
    expect(await call('tools.put', join(workspace, 'drafts/a.txt'))).toBe('written')
    expect(readFileSync(join(workspace, 'drafts/a.txt'), 'utf8')).toBe('x')
    for (const file of ['put.js', 'new.js', 'put.contract.json'])
      expect(await call('tools.put', join(folder, file))).toMatchObject({ code: 'internal' })
    expect(readFileSync(join(folder, 'put.js'), 'utf8')).toBe(write)
    const own = await open([{ path: folder, write: [folder] }])
    expect(await own.call('tools.put', join(folder, 'new.js'))).toMatchObject({
      code: 'tool_withheld',
      message: expect.stringContaining('"write" names the folder itself'),
    })
  })

  test('reach the hosts that were granted, and a refused one is explained and recorded', async () => {
    const web = createServer((_, response) => response.end('served')).listen(0, '127.0.0.1')
    onTestFinished(() => void web.close())
    await once(web, 'listening')
    const { port } = web.address() as AddressInfo
    const folder = make('tools', {
      'get.js': 'export const run = async ({ value }) => ({ text: await (await fetch(value)).text() })',
    })
    const { toolpact, call } = await open([{ path: folder, network: [`localhost:${port}`] }])
    expect(await call('tools.get', `http://localhost:${port}/`)).toBe('served')
    const refused = await call('tools.get', 'https://api.example.com/')
    expect((refused as { message: string }).message).toContain(
      'Its contract folder was refused a connection to api.example.com, which it was not granted. Do not repeat the call. The operator can allow it: add "api.example.com" to "network" in the entry of tools',
    )
    const findRefusal = async () => (await toolpact.ledger.read({ last: 10 })).map(({ record }) => record as { tool?: string }).find(({ tool }) => tool === 'tools.connect') // biome-ignore format: one line
    await expect.poll(findRefusal).toMatchObject({ errorCode: 'not_granted', caller: { name: 'contracts:tools' } })
  })

  test('end with Toolpact, with every daemon that they forked', async () => {
    const folder = make('tools', {
      'fork.js': `import { spawn } from 'node:child_process'
export const run = ({ value }) => {
  spawn('setsid', ['/bin/sh', '-c', 'sleep 600 # ' + value], { detached: true, stdio: 'ignore' }).unref()
  return { text: 'forked' }
}`,
    })
    const mark = `daemon-of-${process.pid}-${Date.now()}`
    const { toolpact, call } = await open([{ path: folder, network: 'none' }])
    expect(await call('tools.fork', mark)).toBe('forked')
    await expect.poll(() => findProcesses(mark).length).toBeGreaterThan(0)
    await toolpact.close()
    await expect.poll(() => findProcesses(mark)).toEqual([])
  })

  test('that crash fail their calls with a reason, and the next call starts them again', async () => {
    const crash = `export const run = ({ value }) => {
  if (value === 'exit') process.exit(3)
  if (value === 'throw') setImmediate(() => { throw new Error('boom') })
  return value === 'throw' ? new Promise(() => {}) : { text: 'well' }
}`
    const folder = make('tools', { 'crash.js': crash })
    const violations: unknown[] = []
    const { call } = await open([{ path: folder, network: 'none' }], { onViolation: (violation) => violations.push(violation) }) // biome-ignore format: one line
    for (const [how, words] of [
      ['exit', 'it ended with code 3'],
      ['throw', 'boom'],
    ] as const) {
      expect(await call('tools.crash', how)).toMatchObject({
        code: 'internal',
        message: "'tools.crash' failed unexpectedly. Its process ended before it answered, and is started again by the next call.", // biome-ignore format: one line
      })
      expect(String((violations.at(-1) as { raw: unknown }).raw)).toContain(words)
      expect(await call('tools.crash', 'well')).toBe('well')
    }
  })

  test('that loop forever are aborted, and do not take others with them for long', async () => {
    const folder = make('tools', {
      'loop.js': 'export const run = () => { for (;;); }',
      'say.js': says,
      'wait.js': `export const run = (_, { signal, progress }) => new Promise((_, reject) => {
  signal.addEventListener('abort', () => reject(signal.reason))
  progress({ progress: 1 })
})`,
    })
    const { call } = await open([{ path: folder, network: 'none' }])
    const before = await call('tools.say')
    const waits = new AbortController()
    expect(await call('tools.wait', 'x', { signal: waits.signal, onProgress: () => waits.abort() })).toMatchObject({ code: 'cancelled' }) // biome-ignore format: one line
    // One that honours its signal leaves the process as it is.
    expect(await call('tools.say')).toBe(before)
    const loops = new AbortController()
    setTimeout(() => loops.abort(), 300)
    expect(await call('tools.loop', 'x', { signal: loops.signal })).toMatchObject({ code: 'cancelled' })
    await expect.poll(() => call('tools.say'), { timeout: 15_000 }).toMatch(/^x from/)
    expect(await call('tools.say')).not.toBe(before)
  })

  test('return and throw declared errors, report progress and notes, and are validated before they run', async () => {
    const folder = make('tools', {
      'find.ts': `interface Input { value: string }
export const validate = ({ value }: Input, { fail }: any) => (value === 'early' ? fail('not_there', 'It is early.') : undefined)
export async function run({ value }: Input, { fail, progress, note, callId, caller }: any) {
  progress({ progress: 1, total: 2, message: 'half' })
  note({ id: callId.length, by: caller.name })
  if (value === 'returned') return fail('not_there', 'It is not there.', { suggestion: 'Look elsewhere.', retryAfterMs: 5 })
  if (value === 'thrown') throw fail('not_there', 'It was thrown.')
  if (value === 'undeclared') return fail('odd', 'Nobody declared this.')
  if (value === 'wrong') return { wrong: true }
  return { text: value }
}`,
    })
    const { toolpact, call } = await open([{ path: folder, network: 'none' }])
    const reported: unknown[] = []
    const result = await toolpact.call(
      'tools.find',
      { value: 'fine' },
      { onProgress: (update) => reported.push(update) },
    )
    expect(result).toMatchObject({ success: true, output: { text: 'fine' }, notes: { by: 'library' } })
    expect(reported).toEqual([{ progress: 1, total: 2, message: 'half' }])
    expect(await call('tools.find', 'returned')).toMatchObject({ code: 'not_there', status: 404, message: 'It is not there.', suggestion: 'Look elsewhere.', retryAfterMs: 5 }) // biome-ignore format: one line
    expect(await call('tools.find', 'thrown')).toMatchObject({ code: 'not_there', suggestion: 'Try another one.' })
    expect(await call('tools.find', 'early')).toMatchObject({ code: 'not_there', message: 'It is early.' })
    expect(await call('tools.find', 'undeclared')).toMatchObject({ code: 'invalid_output' })
    expect(await call('tools.find', 'wrong')).toMatchObject({ code: 'invalid_output' })
  })

  test('of two folders do not see one another', async () => {
    const first = make('first', { 'look.js': reads }, { 'secret.txt': 'first' })
    const second = make('second', { 'look.js': reads }, { 'secret.txt': 'second' })
    const { call } = await open([{ path: first, network: 'none' }, { path: second, network: 'none' }, make('plain', { 'say.js': says })] as object[]) // biome-ignore format: one line
    const [own, other, plain] = await Promise.all([
      call('first.look', join(first, 'secret.txt')),
      call('second.look', join(first, 'secret.txt')),
      call('plain.say'),
    ])
    expect(own).toBe('first')
    expect(other).toMatchObject({ code: 'internal' })
    // Without grants, a folder runs as before.
    expect(plain).toContain(`x from ${process.pid} `)
  })

  test('get files and search of the workspace within the grants, and what their toolset opens', async () => {
    const folder = make(
      'tools',
      {
        'take.js': `export const needs = ['files', 'search', 'store', 'settings']
export const run = async ({ value }, { callOwn }, { files, search, store, settings }) => {
  const text = Buffer.from((await files.readWhole(value)).bytes).toString()
  const found = await search.findFiles({ pattern: '**/*.txt', limit: 10 }).catch((cause) => ({ paths: [String(cause)] }))
  return { text: [text, JSON.stringify(found).includes('a.txt'), await store.count(), settings.greeting].join('|') }
}`,
      },
      {
        'toolset.json': { settings: { type: 'object', additionalProperties: false, properties: { greeting: { type: 'string', default: 'hello', description: 'What to say' } } } }, // biome-ignore format: one line
        'toolset.js': `export const open = ({ notes, stateDirectory, settings }) => ({
  store: { count: async () => {
    const before = (await notes.get('tools.count')) ?? 0
    await notes.set('tools.count', before + 1)
    const refused = await notes.get('others.secret').then(() => 'read', (cause) => cause.message.slice(0, 29))
    return before + ' ' + refused
  } },
})`,
      },
    )
    mkdirSync(join(workspace, 'data'))
    writeFileSync(join(workspace, 'data/a.txt'), 'of the workspace')
    const { call } = await open([{ path: folder, read: ['data'] }])
    expect(await call('tools.take', 'data/a.txt')).toBe('of the workspace|true|0 A confined folder keeps notes|hello')
    expect(await call('tools.take', 'data/a.txt')).toContain('|1 A')
  })

  test('do not get what the sandbox cannot bound, and the reason says what to do', async () => {
    const needing = (need: string) => `export const needs = ['${need}']
export const run = (_i, _c, capabilities) => ({ text: Object.keys(capabilities).join() })`
    const handlers = Object.fromEntries(['process', 'web', 'model', 'files', 'nothing'].map((need) => [`uses-${need}.js`.replace('-', '_'), needing(need)])) // biome-ignore format: one line
    const { call } = await open([{ path: make('tools', handlers), network: 'none' }])
    for (const [need, words] of [['process', 'node:child_process'], ['web', 'Use fetch'], ['model', 'unconfined'], ['files', 'Add the workspace to'], ['nothing', "It needs 'nothing', which is not available"]] as const) // biome-ignore format: one line
      expect(await call(`tools.uses_${need}`)).toMatchObject({ code: 'tool_withheld', message: expect.stringContaining(words) }) // biome-ignore format: one line
  })

  test('that cannot be loaded are withheld with the reason, and the others work', async () => {
    const folder = make('tools', {
      'say.js': says,
      'broken.js': 'throw new Error("not today")',
      'outside.js': `import '${join(workspace, 'lib.js')}'\nexport const run = () => ({ text: 'x' })`,
      'none.js': 'export const other = 5',
      'greedy.js': 'export const run = (_i, _c, { files }) => ({ text: String(files) })',
    })
    writeFileSync(join(workspace, 'lib.js'), '')
    const { call } = await open([{ path: folder, network: 'none' }])
    const reasonOf = async (tool: string) => ((await call(`tools.${tool}`)) as { message: string }).message
    expect(await call('tools.say')).toMatch(/^x from/)
    expect(await reasonOf('broken')).toContain('Error: not today')
    expect(await reasonOf('outside')).toContain('lib.js')
    expect(await reasonOf('none')).toContain('exports no function')
    expect(await reasonOf('greedy')).toContain('takes capabilities and lists none')
  })

  test('make prompts and resources, also of bytes', async () => {
    const folder = make('tools', { 'say.js': says }, {
      'review.prompt.json': { name: 'review', description: 'Asks for a review of one note.', input: { type: 'object', additionalProperties: false, required: ['topic'], properties: { topic: { type: 'string', description: 'About what' } } } },
      'review.prompt.js': `export const get = ({ topic }) => 'Review ' + topic + ' ' + (process.pid !== ${process.pid})
export const complete = { topic: (typed) => ['history', 'physics'].filter((one) => one.startsWith(typed)) }`,
      'dot.resource.json': { name: 'dot', description: 'One byte, which is no text.', uri: 'tools://dot', mimeType: 'application/octet-stream' },
      'dot.resource.js': 'export const read = () => new Uint8Array([0, 255])',
      'watched.resource.json': { name: 'watched', description: 'One text that changes.', uri: 'tools://watched' },
      'watched.resource.js': 'export const read = () => "x"\nexport const watch = () => () => {}',
    }) // biome-ignore format: one line
    const { toolpact } = await open([{ path: folder, network: 'none' }])
    const run = async (tool: string, input: JsonObject) => JSON.stringify(await toolpact.call(tool, input))
    expect(await run('tools.prompt:review', { topic: 'rain' })).toContain('Review rain true')
    expect(await run('tools.prompt:review:complete', { argument: 'topic', value: 'ph', context: {} })).toContain(
      'physics',
    )
    expect(await run('tools.resource:dot', {})).toContain('AP8=')
    expect(await run('tools.resource:watched', {})).toContain('watch')
  })

  test('get the variables of their entry, and no others', async () => {
    process.env.FOLDER_SECRET = 'treasure'
    onTestFinished(() => void delete process.env.FOLDER_SECRET)
    const folder = make('tools', { 'look.js': 'export const run = ({ value }) => ({ text: String(process.env[value]) })' }) // biome-ignore format: one line
    const { call } = await open([{ path: folder, network: 'none', env: { GIVEN: `\${FOLDER_SECRET}` } }])
    expect(await call('tools.look', 'GIVEN')).toBe('treasure')
    expect(await call('tools.look', 'FOLDER_SECRET')).toBe('undefined')
    const missing = await open([{ path: folder, network: 'none', env: { GIVEN: `\${NO_SUCH_VARIABLE}` } }])
    expect(await missing.call('tools.look', 'GIVEN')).toMatchObject({ code: 'tool_withheld', message: expect.stringContaining('NO_SUCH_VARIABLE') }) // biome-ignore format: one line
  })

  test('preview in their process', async () => {
    const folder = make('tools', {
      'put.js': `export const run = () => ({ text: 'x' })
export const preview = ({ value }) => ({ sandbox: value + ' ' + process.pid })`,
    })
    const { toolpact } = await open([{ path: folder, network: 'none' }])
    const { tool } = (await toolpact.catalog.find('tools.put', { name: 'library' })) as never as { tool: { preview: (...given: unknown[]) => Promise<object> } } // biome-ignore format: one line
    expect(await tool.preview({ value: 'shown' }, {}, new AbortController().signal)).toEqual({
      sandbox: expect.stringMatching(/^shown \d$/),
    })
  })
})

describe.skipIf(process.platform !== 'linux')('a folder that nothing can confine', () => {
  beforeEach(() => {
    const { PATH } = process.env
    process.env.PATH = '/nowhere'
    onTestFinished(() => {
      process.env.PATH = PATH
    })
  })

  test('runs unconfined with auto, and says so', async () => {
    const folder = make('tools', { 'say.js': says })
    const { toolpact, call } = await open([{ path: folder, network: 'none' }])
    expect(toolpact.notices).toContain(
      `The handlers in ${folder} run unconfined: bubblewrap is not installed. To confine them: install bubblewrap (apt-get install bubblewrap).`,
    )
    expect(await call('tools.say')).toContain(`x from ${process.pid} `)
    const findRecord = async () => (await toolpact.ledger.read({ last: 10 })).map(({ record }) => record as { tool?: string }).find(({ tool }) => tool === 'tools.confine') // biome-ignore format: one line
    await expect.poll(findRecord).toMatchObject({ errorCode: 'not_confined', caller: { name: 'contracts:tools' } })
  })

  test('is withheld with required, and its code never runs', async () => {
    const mark = join(workspace, 'ran')
    const folder = make('tools', { 'say.js': `import { writeFileSync } from 'node:fs'\nwriteFileSync(${JSON.stringify(mark)}, '')\n${says}` }) // biome-ignore format: one line
    const { toolpact, call } = await open([{ path: folder, isolation: 'required' }])
    expect(toolpact.notices.join()).toContain(`The tools in ${folder} are withheld: bubblewrap is not installed.`)
    expect(await call('tools.say')).toMatchObject({
      code: 'tool_withheld',
      message: expect.stringContaining('It may run only confined, and bubblewrap is not installed'),
    })
    expect(existsSync(mark)).toBe(false)
  })
})

test('an entry without grants, or with isolation off, runs in this process; one with grants wins over a plain one', async () => {
  const folder = make('tools', { 'say.js': says })
  for (const entry of [{ path: folder }, { path: folder, isolation: 'off', network: 'none' }]) {
    const { call } = await open([entry])
    expect(await call('tools.say')).toContain(`x from ${process.pid} `)
  }
  if (!works) return
  const { call } = await open([{ path: folder, network: 'none' }], { contracts: [folder] })
  expect(await call('tools.say')).not.toContain(`x from ${process.pid} `)
})

test.each([
  [{ read: ['x'] }, 'path'],
  [{ path: 'tools', reads: [] }, 'reads'],
  [{ path: 'tools', network: ['http://a/b'] }, 'network'],
])('an entry that is not valid says what is wrong: %j', async (entry, words) => {
  await expect(open([entry])).rejects.toThrow(words)
})

function findProcesses(mark: string): string[] {
  return readdirSync('/proc').filter((id) => /^\d+$/.test(id) && existsSync(`/proc/${id}/cmdline`) && readCommand(id).includes(mark)) // biome-ignore format: one line
}

function readCommand(id: string): string {
  try {
    return readFileSync(`/proc/${id}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}
