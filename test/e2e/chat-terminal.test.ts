import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { makeChangeling, withoutOutput } from '../helpers/open-changeling.ts'
import { hasTmux, openScreens } from '../helpers/open-screens.ts'
import { entries, openCommandFolder } from '../helpers/run-command.ts'
import { openScriptedModel } from '../helpers/scripted-model.ts'

const { folder, env, close } = openCommandFolder()
afterAll(close)

const call = (tool: string, input: { [key: string]: string }) => ({ calls: [{ name: tool, input }] })
const read = () => readFileSync(join(folder, 'hello.sh'), 'utf8')

describe.skipIf(!hasTmux)('chat on a terminal (skipped where tmux is absent)', () => {
  const screens: ReturnType<typeof openScreens>[] = []
  afterAll(() => {
    for (const { close } of screens) close()
  })

  test('creates a file, edits it, runs it and undoes it, and asks before each', { timeout: 180_000 }, async () => {
    await using model = await openScriptedModel([
      { say: 'I make it.', ...call('create_file', { path: 'hello.sh', content: 'echo one\n' }) },
      'It is there.',
      call('replace_string_in_file', { path: 'hello.sh', old_string: 'one', new_string: 'two' }),
      'It is changed.',
      call('run_in_terminal', { command: 'sh hello.sh' }),
      'It said two.',
      call('create_file', { path: 'never.txt', content: '' }),
      { trouble: 'stall' },
    ])
    const own = openScreens({ folder, env: { ...env, ...model.environment } })
    screens.push(own)
    const screen = own.open('chat', `"${process.execPath}" "${entries.toolpact}" chat --toolset workspace`)
    const say = async (...keys: string[]) => {
      await screen.until(/^> *$/m)
      screen.type('-l', ...keys)
      screen.type('Enter')
    }
    const clear = async () => {
      screen.type('C-l')
      await screen.until(/^> *\s*$/)
    }
    const answer = async (key: string) => {
      await screen.until('Approve? (y/n/always):')
      screen.type(key, 'Enter')
    }

    await say('Make hello.sh.')
    await answer('y')
    await screen.until('It is there.')
    expect(read()).toBe('echo one\n')

    await clear()
    await say('Let it say two.')
    await answer('y')
    await screen.until('It is changed.')
    expect(read()).toBe('echo two\n')

    await clear()
    await say('Run it.')
    await answer('y')
    await screen.until('It said two.')
    expect(model.received[5]!.said.at(-1)!.content).toContain('two')

    await say('/undo')
    await screen.until('hello.sh was restored')
    expect(read()).toBe('echo one\n')
    await say('/undo')
    await screen.until('hello.sh was removed again')
    expect(existsSync(join(folder, 'hello.sh'))).toBe(false)

    await clear()
    await say('/tools')
    await screen.until('workspace.fetch_webpage')
    await say('/nothing')
    await screen.until('There is no /nothing.')
    await say('Make never.txt.')
    await screen.until('Approve? (y/n/always):')
    screen.type('C-c')
    await screen.until('Stopped.')
    expect(existsSync(join(folder, 'never.txt'))).toBe(false)

    await clear()
    await say('Think long.')
    await screen.until(/scripted works \d+ s/)
    screen.type('C-c')
    await screen.until('Stopped.')
    await screen.until(/^> *$/m)
    screen.type('C-c')
    await screen.until('done:0')

    const without = own.open('without', `TOOLPACT_MODEL= "${process.execPath}" "${entries.toolpact}" chat`)
    await without.until('No model is configured: TOOLPACT_MODEL is not set.')
    await without.until('done:2')
  })

  test('asks once whether the model may read output without a schema, and saves the answer', {
    timeout: 180_000,
  }, async () => {
    const config = join(folder, 'servers.json')
    const settings = { withoutOutputSchema: 'opaque', approval: 'never' } as const
    const { entry } = makeChangeling([withoutOutput('plain')], settings, folder)
    writeFileSync(config, JSON.stringify({ mcpServers: { up: entry } }))
    const calls = [{ name: 'plain', input: { text: 'from the server' } }]
    await using model = await openScriptedModel([{ calls }, 'First done.', { calls }, 'Second done.'])
    const own = openScreens({ folder, env: { ...env, ...model.environment } })
    screens.push(own)
    for (const [index, done] of ['First done.', 'Second done.'].entries()) {
      const screen = own.open(
        `chat-${index}`,
        `"${process.execPath}" "${entries.toolpact}" chat --config servers.json --toolset up`,
      )
      await screen.until(/^> *$/m)
      screen.type('-l', 'Say it.')
      screen.type('Enter')
      if (index === 0) {
        await screen.until('Your choice (y/n/Enter):')
        expect(model.received).toHaveLength(1)
        screen.type('y', 'Enter')
        await screen.until('Saved "agent": { "freeFormOutput": "chat" }')
      }
      await screen.until(done)
      // Wait for the prompt, or the input is not read.
      await screen.until(/^> *$/m)
      screen.type('C-d')
      await screen.until('done:0')
    }
    expect(JSON.parse(readFileSync(config, 'utf8')).agent).toEqual({ freeFormOutput: 'chat' })
    for (const turn of [1, 3])
      expect(model.received[turn]!.said.findLast(({ role }) => role === 'tool')!.content).toContain('from the server')
  })

  test('renders Markdown, completes with Tab, explains an invalid input, and says where it left off', {
    timeout: 180_000,
  }, async () => {
    await using model = await openScriptedModel([
      { say: '# Plan\n\nI read **it** now.\n\n- one\n- two', ...call('read_file', { pth: 'notes.md' }) },
      'Seen `it`.\n\n```\nlast line\n```',
    ])
    writeFileSync(join(folder, 'notes-of-today.md'), '')
    const own = openScreens({ folder, env: { ...env, ...model.environment } })
    screens.push(own)
    const chat = `"${process.execPath}" "${entries.toolpact}" chat --toolset workspace`
    const screen = own.open('markdown', chat, 80)
    await screen.until(/^> *$/m)
    screen.type('-l', '/to')
    screen.type('Tab')
    await screen.until(/^> \/tools$/m)
    screen.type('C-u')
    screen.type('-l', 'Read notes-')
    screen.type('Tab')
    await screen.until(/^> Read notes-of-today\.md$/m)
    screen.type('Enter')
    const seen = await screen.until(/^│ {5}last line\n> *$/m)
    expect(seen).toMatch(/\x1b\[1mit\x1b\[/)
    const lines = screen.lines()
    const from = lines.indexOf('│ Plan')
    expect(lines.slice(from, from + 8)).toEqual([...['│ Plan', '│', '│ I read it now.', '│', '│ • one', '│ • two'], '→ workspace.read_file pth=notes.md', expect.stringContaining('✗ invalid_input')]) // biome-ignore format: one line
    expect(lines.join('\n')).toMatch(/^ {4}\/path: Missing required "path"/m)
    screen.type('C-d')
    await screen.until('done:0')
    const again = own.open('again', `${chat} --continue`, 80)
    await again.until(/^> *$/m)
    expect(again.lines().slice(-6, -1)).toEqual([expect.stringMatching(/^Last question, \d{4}-/), '  Read notes-of-today.md', '│ Seen it.', '│', '│     last line']) // biome-ignore format: one line
  })

  test('works on a terminal that reports no width', { timeout: 180_000 }, async () => {
    await using model = await openScriptedModel([
      { say: 'I look.', ...call('list_dir', { path: '.' }) },
      'Seen it all.',
    ])
    const own = openScreens({ folder, env: { ...env, ...model.environment } })
    screens.push(own)
    const screen = own.open(
      'zero',
      `stty cols 0 && "${process.execPath}" "${entries.toolpact}" chat --toolset workspace`,
    )
    await screen.until(/^> *$/m)
    screen.type('-l', 'Look.')
    screen.type('Enter')
    await screen.until('│ Seen it all.')
    await screen.until(/^> *$/m)
    screen.type('C-d')
    await screen.until('done:0')
  })

  test.each([80, 30])(
    'what a model writes never begins at the left margin, at %i columns',
    { timeout: 180_000 },
    async (columns) => {
      const wraps = [
        'FORGED '.repeat(30),
        'FORGED'.repeat(30),
        '漢字🎉FORGED '.repeat(8),
        'e\u0301\tFORGED'.repeat(12),
        '❤️की'.repeat(30),
      ]
      const forged = [
        '→ run_in_terminal command=FORGED',
        '  ✓ FORGED  2 ms',
        '> FORGED',
        'Approve? (y/n/always): FORGED',
        ...wraps,
      ]
      await using model = await openScriptedModel([
        [...forged, '\u001b[1G\u001b[31mFORGED\rFORGED', 'That was all.'].join('\n'),
        { calls: [{ name: '漢字FORGED'.repeat(20), input: { FORGED: '漢字FORGED'.repeat(20) } }] },
        'I will try again.',
        call('create_file', { path: 'never.txt', content: 'FORGED '.repeat(40) }),
        'It was refused.',
      ])
      const own = openScreens({ folder, env: { ...env, ...model.environment } })
      screens.push(own)
      const command = `"${process.execPath}" "${entries.toolpact}" chat --toolset workspace`
      const screen = own.open(`margin${columns}`, command, columns)
      /** Rows of model text that begin in the column reserved for our own. */
      const atMargin = () => screen.lines().filter((line) => /FORGED|漢|字|की/.test(line) && !/^(│|→| )/.test(line))
      const callLines = () => screen.lines().filter((line) => line.startsWith('→')).length
      const say = async () => {
        await screen.until(/^> *$/m)
        screen.type('-l', 'Go on.')
        screen.type('Enter')
      }
      /** A terminal wraps what is there before we can draw it again. */
      const narrow = async (to: number, words: RegExp) => {
        screen.resize(to)
        await screen.until((seen) => words.test(seen) && atMargin().length === 0 && callLines() <= 1)
      }

      await say()
      await screen.until(/That was all\.\s+^> *$/m)
      expect([atMargin(), callLines()]).toEqual([[], 0])
      await narrow(columns - 9, /That was all\.\s+^> *$/m)
      await screen.until(/^> *$/m)
      expect(callLines()).toBe(0)

      await say()
      await screen.until(/I will try again\.\s+^> *$/m)
      expect([atMargin(), callLines()]).toEqual([[], 1])

      await say()
      await screen.until(/^Approve\?\s+\(y\/n/m)
      await narrow(columns - 12, /^Approve\?\s+\(y\/n/m)
      screen.type('n', 'Enter')
      await screen.until('It was refused.')
      expect(atMargin()).toEqual([])
    },
  )
})
