import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { define, makeChangeling, withoutOutput } from '../helpers/open-changeling.ts'
import { openMcpFolder } from '../helpers/open-mcp-folder.ts'

const opened: ReturnType<typeof openMcpFolder>[] = []
afterAll(() => {
  for (const { close } of opened) close()
})

/** A folder with a config that is named on the command line. */
function openFolder(servers: (folder: string) => object, more: object = {}) {
  const folder = openMcpFolder()
  opened.push(folder)
  const { command, write } = folder
  write('my.json', { toolsets: ['learning', ...Object.keys(servers(folder.folder))], ...more, mcpServers: servers(folder.folder) }) // biome-ignore format: one line
  return { ...folder, use: (...args: string[]) => command(...args, '--config', 'my.json') }
}

describe('a slow server is waited for, and that is said', () => {
  const slow = (folder: string) => ({
    slow: makeChangeling([define('echo')], { env: { DELAY_MS: '2500' } }, folder).entry,
  })

  test.concurrent.each([
    [['list'], 'slow.echo'],
    [['export', 'mcp'], '"slow_echo"'],
    [['check'], 'slow: 1 tool'],
  ])('%j', async (args, word) => {
    const { code, stdout, stderr } = await openFolder(slow).use(...args)
    expect(stderr).toContain('Waiting for 1 server: slow …')
    expect(stdout).toContain(word)
    expect(code).toBe(0)
  })
})

describe('a server that fails is never left out in silence', () => {
  const gone = () => ({ gone: { command: 'no-such-program-anywhere' } })

  test.concurrent('list names it', async () => {
    const { code, stderr } = await openFolder(gone).use('list')
    expect(stderr).toContain('✗ gone is not available: ')
    expect(code).toBe(0)
  })

  test.concurrent('export writes nothing', async () => {
    const { use, folder } = openFolder(gone, { generated: { 'tools.json': 'mcp' } })
    const all = await use('export')
    expect(all).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('Nothing was exported, because tools of gone would be missing.') }) // biome-ignore format: one line
    const one = await use('export', 'mcp', '--out', 'tools.json', '--json')
    expect(one.code).toBe(1)
    expect(JSON.parse(one.stdout)).toEqual({ ok: false, unavailable: ['gone'] })
    expect(existsSync(join(folder, 'tools.json'))).toBe(false)
    expect((await use('export', 'mcp', '--toolset', 'learning')).code).toBe(0)
  })

  test.concurrent('check fails, and compares nothing with what is not complete', async () => {
    const { code, stdout } = await openFolder(gone, { generated: { 'tools.json': 'mcp' } }).use('check')
    expect(stdout).toMatch(/^problem {2}servers {4}gone: not available\. /m)
    expect(stdout).toContain('tools.json: not compared, because tools of gone are missing')
    expect(code).toBe(1)
  })
})

describe('a failure is reported as it happens, while other servers are waited for', () => {
  // Does not start before the file exists, which the test writes once the failure was reported.
  const wait = `const timer = setInterval(() => {
    if (!require('node:fs').existsSync(process.env.GO)) return
    clearInterval(timer)
    import(require('node:url').pathToFileURL(process.argv[1]))
  }, 20)`
  const servers = (folder: string) => {
    const { args } = makeChangeling([define('echo')], {}, folder).entry
    return {
      gone: { command: process.execPath, args: ['-e', 'console.error("Error: API_KEY is not set"); process.exit(1)'] },
      slow: { command: process.execPath, args: ['-e', wait, '--', ...args], env: { GO: join(folder, 'go') } },
    }
  }

  test.concurrent.each([
    [['list', '--config', 'my.json'], /^✗ gone is not available: .*API_KEY is not set/m],
    [['mcp', 'inspect', '--config', 'my.json'], /^✗ gone is not available: .*API_KEY is not set/m],
    [['mcp', 'inspect', '--config', 'my.json', '--json'], /^✗ gone is not available: .*API_KEY is not set/m],
    [
      ['mcp', 'import', 'my.json', '--config', 'other.json', '--yes'],
      /^✗ gone is not available: .*API_KEY is not set/m,
    ],
    [
      ['mcp', 'import', 'my.json', '--config', 'other.json', '--yes', '--json'],
      /^✗ gone is not available: .*API_KEY is not set/m,
    ],
  ])('%j', async (args, line) => {
    const { folder, start, env } = openFolder(servers)
    const { stdout, stderr } = await start(args, {
      env,
      during({ stdin, stderr }) {
        stdin!.end()
        let told = ''
        stderr!.on('data', (text) => {
          told += text
          if (line.test(told)) writeFileSync(join(folder, 'go'), '')
        })
      },
    })
    expect(stderr.match(new RegExp(line, 'gm'))).toHaveLength(1)
    if (args.includes('--json')) expect(() => JSON.parse(stdout)).not.toThrow()
    if (args[1] === 'inspect') expect(stdout).toMatch(/slow\W+(?:state\W+)?ready/)
  })
})

test.concurrent('check reports weaknesses of servers as advice, a line for each kind', async () => {
  const weak = ['a', 'b', 'c'].map((name) => define(name, { description: 'x' }))
  const { use } = openFolder((folder) => ({
    weak: makeChangeling([...weak, withoutOutput('plain')], {}, folder).entry,
  }))
  const { code, stdout } = await use('check')
  expect(stdout).toMatch(/^advice {3}servers {4}weak: 1 of 4 tools withheld\. Run: toolpact mcp inspect weak$/m)
  const lines = stdout.split('\n').filter((line) => /^advice {3}contracts/.test(line))
  expect(lines).toEqual([...new Set(lines)])
  expect(lines.join('\n')).toContain('more like it: see --json.')
  expect(stdout).not.toMatch(/^(?:problem|warning)/m)
  expect(code).toBe(0)
  const { ok, results } = JSON.parse((await use('check', '--json')).stdout)
  expect(ok).toBe(true)
  expect(results.filter(({ outcome }: { outcome: string }) => outcome === 'advice').length).toBeGreaterThan(
    lines.length,
  )
})

test.concurrent('inspect of one server starts no other, and counts what is withheld', async () => {
  const folder = openMcpFolder()
  opened.push(folder)
  const one = makeChangeling([define('echo'), withoutOutput('plain')], {}, folder.folder)
  const other = makeChangeling([define('echo')], {}, folder.folder)
  folder.write('my.json', { mcpServers: { one: one.entry, other: other.entry } })
  const { code, stdout } = await folder.run('inspect', 'one', '--config', 'my.json')
  expect(code).toBe(0)
  expect(stdout).toMatch(/^one +ready +2025-11-25 +1 +1 +0 /m)
  expect({ one: one.pids().length, other: other.pids() }).toEqual({ one: 1, other: [] })
  expect((await folder.run('inspect', '--config', 'my.json')).stdout).toMatch(/^other +ready/m)
})

test.concurrent('inspect of one server withholds what the name of a tool of another server forbids', async () => {
  const { run, folder, write } = openFolder(() => ({}))
  const a = makeChangeling([define('b_c')], {}, folder)
  const ab = makeChangeling([define('c')], {}, folder)
  write('my.json', { mcpServers: { a: a.entry, a_b: ab.entry } })
  const { stdout } = await run('inspect', 'a_b', '--config', 'my.json')
  expect(stdout).toMatch(/^a_b +ready +2025-11-25 +0 +1 +0 /m)
  expect(stdout).toContain('The name is easily confused with a.b_c.')
  expect(stdout).not.toMatch(/^a +ready/m)
})

test.concurrent('call offers a person what a tool said against its contract, and prints it with --raw', async () => {
  const { use } = openFolder((folder) => ({
    one: makeChangeling([define('violating'), define('echo')], {}, folder).entry,
  }))
  const failed = await use('call', 'one.violating', 'text=x')
  expect(failed).toMatchObject({ code: 1, stdout: '' })
  expect(failed.stderr).not.toContain('raw text')
  const [, id] = /To see its output: toolpact ledger show (\w+) --raw/.exec(failed.stderr)!
  expect((await use('ledger', 'show', id!, '--raw')).stdout).toContain('raw text')
  const raw = await use('call', 'one.violating', 'text=x', '--raw')
  expect(raw.code).toBe(1)
  expect(raw.stdout).toContain('raw text')
  expect(raw.stderr).toContain('Unchecked output:')
  const json = await use('call', 'one.violating', 'text=x', '--json')
  expect(json.stdout + json.stderr).not.toMatch(/raw text|ledger show \w{8}/)
  expect(await use('call', 'one.echo', 'text=x', '--raw')).toMatchObject({ code: 0, stderr: '' })
  expect(await use('call', 'one.echo', 'text=x', '--raw', '--json')).toMatchObject({ code: 2 })
})
