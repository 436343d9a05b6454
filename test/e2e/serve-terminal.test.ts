import { afterAll, expect, test } from 'vitest'
import { hasTmux, openScreens } from '../helpers/open-screens.ts'
import { useServeFolders } from '../helpers/open-serve.ts'
import { entries } from '../helpers/run-command.ts'

const openServeFolder = useServeFolders()
const closers: (() => unknown)[] = []
afterAll(() => closers.forEach((close) => void close()))

test.skipIf(!hasTmux)(
  'at a terminal it prints the commands that connect clients, with the token, and Ctrl-C stops it',
  async () => {
    const { folder, env, readToken } = openServeFolder()
    const screens = openScreens({ folder, env })
    closers.push(screens.close)
    const screen = screens.open(
      'serve',
      `"${process.execPath}" "${entries.toolpact}" serve --port 0 --toolset learning`,
    )
    await screen.until('Ctrl-C stops it.')
    const text = screen.lines().join('')
    expect(text).toMatch(/toolpact connect CLIENT --http --port \d+/)
    expect(text).toContain('claude-code, codex, gemini')
    expect(text).toContain(`--header 'Authorization: Bearer ${readToken()}'`)
    screen.type('C-c')
    await screen.until('done:130')
  },
)
