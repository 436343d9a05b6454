import { afterAll, expect, test } from 'vitest'
import { send } from '../helpers/open-http.ts'
import { hasTmux, openScreens } from '../helpers/open-screens.ts'
import { useServeFolders } from '../helpers/open-serve.ts'
import { entries } from '../helpers/run-command.ts'

const openServeFolder = useServeFolders()
const closers: (() => unknown)[] = []
afterAll(() => closers.forEach((close) => void close()))

test.skipIf(!hasTmux)(
  'at a terminal it prints one short screen without a token, a line for each call, and Ctrl-C stops it',
  async () => {
    const { folder, env, findToken } = openServeFolder()
    const screens = openScreens({ folder, env })
    closers.push(screens.close)
    const screen = screens.open(
      'serve',
      `"${process.execPath}" "${entries.toolpact}" serve --port 0 --toolset learning`,
    )
    await screen.until('Ctrl-C stops it.')
    const lines = screen.lines()
    const text = lines.join('\n')
    expect(text).toMatch(/toolpact connect CLIENT --http --port \d+/)
    const [link, url] = /(http:\/\/127\.0\.0\.1:\d+)\/console\?once=[\w-]{43}$/m.exec(text)!
    expect(lines.findIndex((line) => line.includes('Ctrl-C stops it.'))).toBeLessThan(15)
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80)
    expect(text).toContain('toolpact token create NAME')
    expect(text).not.toContain('toolpact_')
    expect((await send(link, { token: null })).status).toBe(303)
    const call = { token: await findToken(), body: '{"name":"Ada"}' }
    expect((await send(`${url}/v1/tools/hello`, call)).status).toBe(200)
    await screen.until(/\d\d:\d\d:\d\d {2}learning\.hello {2}local {2}ok {2}\d+ ms/)
    expect((await send(`${url}/v1/tools/hello`, { ...call, body: '{"name":1}' })).status).toBe(400)
    await screen.until(/learning\.hello {2}local {2}invalid_input {2}\d+ ms/)
    screen.type('C-c')
    await screen.until('done:130')
  },
)
