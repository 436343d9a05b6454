import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { hasTmux, openScreens } from '../helpers/open-screens.ts'
import { entries, openCommandFolder } from '../helpers/run-command.ts'

const { folder, env, run, close } = openCommandFolder()
afterAll(close)

const described = ['--description', 'Counts the words of a text.', '--yes']

test.concurrent('a tool is begun without asking, and is sound from the first moment', async () => {
  const { code, stdout } = await run(['new', 'count', ...described, '--contracts', 'mine', '--param', 'tags:string[]?', '--json']) // biome-ignore format: one line
  expect({ code, ...JSON.parse(stdout) }).toMatchObject({
    code: 0,
    tool: 'mine.count',
    created: ['mine/count.contract.json', 'mine/count.ts', 'mine/count.test.ts'].map((path) => join(path)),
    changed: [],
    next: expect.arrayContaining(['npm install --save-dev toolpact', `node --test ${join('mine/count.test.ts')}`]),
  })
  const written = JSON.parse(readFileSync(join(folder, 'mine/count.contract.json'), 'utf8'))
  expect(written).toMatchObject({ risk: 'read_only', output: { properties: { result: { type: 'string' } } } })
  expect(await run(['check', '--contracts', 'mine', '--toolset', 'mine'])).toMatchObject({ code: 0 })
  const call = await run(['call', 'mine.count', '--contracts', 'mine', '--debug'])
  expect(call).toMatchObject({ code: 1, stderr: expect.stringContaining('count is not implemented yet.') })
})

test.concurrent('in a package that is not of type module, the files declare that they are modules', async () => {
  const own = openCommandFolder()
  writeFileSync(join(own.folder, 'package.json'), '{ "name": "x" }')
  writeFileSync(join(own.folder, 'mine.txt'), '')
  const { stdout } = await own.run(['new', 'count', ...described, '--json'])
  expect(JSON.parse(stdout).created[1]).toBe(join('tools/count.mts'))
  const { code, stderr } = await own.run(['list', '--contracts', 'tools', '--toolset', 'tools'])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  own.close()
})

test.concurrent('a toolset is for the repository of Toolpact', async () => {
  const { code, stderr } = await run(['new', 'count', ...described, '--toolset', 'learning'])
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('Use --contracts DIR') })
})

test.concurrent('no file is overwritten, and no second tool of that name is begun', async () => {
  const own = openCommandFolder()
  mkdirSync(join(own.folder, 'tools'))
  writeFileSync(join(own.folder, 'tools/count.ts'), 'mine')
  expect(await own.run(['new', 'count', ...described])).toMatchObject({ code: 2, stderr: expect.stringContaining('count.ts already') }) // biome-ignore format: one line
  expect(readdirSync(join(own.folder, 'tools'))).toEqual(['count.ts'])
  expect(await own.run(['new', 'word_count', ...described])).toMatchObject({ code: 0 })
  const again = await own.run(['new', 'Word.Count', ...described])
  expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining("There is a tool 'word_count'") })
  own.close()
})

test.concurrent('a withheld tool is reported, and refused with the reason', async () => {
  const own = openCommandFolder()
  await own.run(['new', 'count', ...described])
  writeFileSync(join(own.folder, 'tools/count.ts'), 'export const = 5')
  const reason = expect.stringContaining('Its handler count.ts cannot be loaded: SyntaxError')
  const options = ['--contracts', 'tools']
  expect(await own.run(['list', ...options])).toMatchObject({ code: 0, stderr: reason })
  expect(await own.run(['check', ...options])).toMatchObject({ code: 1, stdout: reason })
  expect(await own.run(['call', 'tools.count', ...options])).toMatchObject({ code: 3, stderr: reason })
  own.close()
})

describe.skipIf(!hasTmux)('on a terminal (skipped where tmux is absent)', () => {
  const { open, close: closeScreens } = openScreens({ folder, env })
  afterAll(() => void closeScreens())

  test('what is not given is asked for, again where it will not do', async () => {
    const screen = open('new', `"${process.execPath}" "${entries.toolpact}" new --contracts asked`)
    await screen.until(/such as read_note:\s*$/)
    screen.type('1st', 'Enter')
    await screen.until(/cannot be named '1st'[\s\S]*such as read_note:\s*$/)
    screen.type('count', 'Enter')
    await screen.until(/A sentence:\s*$/)
    screen.type('Counts the words of a text.', 'Enter')
    await screen.until(/Enter for read_only\):\s*$/)
    screen.type('safe', 'Enter')
    await screen.until(/name:type meaning:\s*$/)
    screen.type('text', 'Enter')
    await screen.until(/--param cannot be 'text'[\s\S]*meaning:\s*$/)
    screen.type('text:string What to count', 'Enter')
    await screen.until(/What to count[\s\S]*meaning:\s*$/)
    screen.type('Enter')
    await screen.until(/What it returns[\s\S]*meaning:\s*$/)
    screen.type('Enter')
    await screen.until('done:0')
    expect(JSON.parse(readFileSync(join(folder, 'asked/count.contract.json'), 'utf8'))).toMatchObject({
      name: 'count',
      risk: 'safe_write',
      input: { required: ['text'], properties: { text: { description: 'What to count' } } },
      output: { required: ['result'] },
    })
  })

  test('leaving before the end writes nothing', async () => {
    const screen = open('gone', `"${process.execPath}" "${entries.toolpact}" new count --contracts gone`)
    await screen.until(/A sentence:\s*$/)
    screen.type('C-d')
    await screen.until(/Nothing was written\.\s+done:3/)
    expect(existsSync(join(folder, 'gone'))).toBe(false)
  })
})
