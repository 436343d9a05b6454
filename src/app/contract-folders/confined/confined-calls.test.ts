import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { makeContracts, openFolders, reads, says, works, workspace } from '../../../../test/helpers/confined-folders.ts'
import type { JsonObject } from '../../../contract/json.ts'

describe.skipIf(!works)('calls of a confined folder (skipped where no sandbox works)', () => {
  test('return and throw declared errors, report progress and notes, and are validated before they run', async () => {
    const folder = makeContracts('tools', {
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
    const { toolpact, call } = await openFolders([{ path: folder, network: 'none' }])
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
    const first = makeContracts('first', { 'look.js': reads }, { 'secret.txt': 'first' })
    const second = makeContracts('second', { 'look.js': reads }, { 'secret.txt': 'second' })
    const { call } = await openFolders([{ path: first, network: 'none' }, { path: second, network: 'none' }, makeContracts('plain', { 'say.js': says })] as object[]) // biome-ignore format: one line
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
    const folder = makeContracts(
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
    const { call } = await openFolders([{ path: folder, read: ['data'] }])
    expect(await call('tools.take', 'data/a.txt')).toBe('of the workspace|true|0 A confined folder keeps notes|hello')
    expect(await call('tools.take', 'data/a.txt')).toContain('|1 A')
  })

  test('do not get what the sandbox cannot bound, and the reason says what to do', async () => {
    const needing = (need: string) => `export const needs = ['${need}']
export const run = (_i, _c, capabilities) => ({ text: Object.keys(capabilities).join() })`
    const handlers = Object.fromEntries(['process', 'web', 'model', 'files', 'nothing'].map((need) => [`uses-${need}.js`.replace('-', '_'), needing(need)])) // biome-ignore format: one line
    const { call } = await openFolders([{ path: makeContracts('tools', handlers), network: 'none' }])
    for (const [need, words] of [['process', 'node:child_process'], ['web', 'Use fetch'], ['model', 'unconfined'], ['files', 'Add the workspace to'], ['nothing', "It needs 'nothing', which is not available"]] as const) // biome-ignore format: one line
      expect(await call(`tools.uses_${need}`)).toMatchObject({ code: 'tool_withheld', message: expect.stringContaining(words) }) // biome-ignore format: one line
  })

  test('that cannot be loaded are withheld with the reason, and the others work', async () => {
    const folder = makeContracts('tools', {
      'say.js': says,
      'broken.js': 'throw new Error("not today")',
      'outside.js': `import '${join(workspace, 'lib.js')}'\nexport const run = () => ({ text: 'x' })`,
      'none.js': 'export const other = 5',
      'greedy.js': 'export const run = (_i, _c, { files }) => ({ text: String(files) })',
    })
    writeFileSync(join(workspace, 'lib.js'), '')
    const { call } = await openFolders([{ path: folder, network: 'none' }])
    const reasonOf = async (tool: string) => ((await call(`tools.${tool}`)) as { message: string }).message
    expect(await call('tools.say')).toMatch(/^x from/)
    expect(await reasonOf('broken')).toContain('Error: not today')
    expect(await reasonOf('outside')).toContain('lib.js')
    expect(await reasonOf('none')).toContain('exports no function')
    expect(await reasonOf('greedy')).toContain('takes capabilities and lists none')
  })

  test('make prompts and resources, also of bytes', async () => {
    const folder = makeContracts('tools', { 'say.js': says }, {
      'review.prompt.json': { name: 'review', description: 'Asks for a review of one note.', input: { type: 'object', additionalProperties: false, required: ['topic'], properties: { topic: { type: 'string', description: 'About what' } } } },
      'review.prompt.js': `export const get = ({ topic }) => 'Review ' + topic + ' ' + (process.pid !== ${process.pid})
export const complete = { topic: (typed) => ['history', 'physics'].filter((one) => one.startsWith(typed)) }`,
      'dot.resource.json': { name: 'dot', description: 'One byte, which is no text.', uri: 'tools://dot', mimeType: 'application/octet-stream' },
      'dot.resource.js': 'export const read = () => new Uint8Array([0, 255])',
      'watched.resource.json': { name: 'watched', description: 'One text that changes.', uri: 'tools://watched' },
      'watched.resource.js': 'export const read = () => "x"\nexport const watch = () => () => {}',
    }) // biome-ignore format: one line
    const { toolpact } = await openFolders([{ path: folder, network: 'none' }])
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
    const folder = makeContracts('tools', { 'look.js': 'export const run = ({ value }) => ({ text: String(process.env[value]) })' }) // biome-ignore format: one line
    const { call } = await openFolders([{ path: folder, network: 'none', env: { GIVEN: `\${FOLDER_SECRET}` } }])
    expect(await call('tools.look', 'GIVEN')).toBe('treasure')
    expect(await call('tools.look', 'FOLDER_SECRET')).toBe('undefined')
    const missing = await openFolders([{ path: folder, network: 'none', env: { GIVEN: `\${NO_SUCH_VARIABLE}` } }])
    expect(await missing.call('tools.look', 'GIVEN')).toMatchObject({ code: 'tool_withheld', message: expect.stringContaining('NO_SUCH_VARIABLE') }) // biome-ignore format: one line
  })

  test('preview in their process', async () => {
    const folder = makeContracts('tools', {
      'put.js': `export const run = () => ({ text: 'x' })
export const preview = ({ value }) => ({ sandbox: value + ' ' + process.pid })`,
    })
    const { toolpact } = await openFolders([{ path: folder, network: 'none' }])
    const { tool } = (await toolpact.catalog.find('tools.put', { name: 'library' })) as never as { tool: { preview: (...given: unknown[]) => Promise<object> } } // biome-ignore format: one line
    expect(await tool.preview({ value: 'shown' }, {}, new AbortController().signal)).toEqual({
      sandbox: expect.stringMatching(/^shown \d$/),
    })
  })
})
