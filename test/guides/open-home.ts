import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { createServer } from 'node:net'
import { userInfo } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openTerminals, type Terminal } from './terminals.ts'

/** As long as the folder that stands in for it, so that lines break at the same places. */
const shownHome = '/home/margaret'

/** The machine of a reader: a home folder with a checkout named `toolpact`, built and linked as the README says. */
export async function openHome(root: string, size: { readonly columns?: number; readonly rows?: number } = {}) {
  if (!existsSync(join(root, 'dist/cli/toolpact.js'))) throw new Error('There is no dist/. Run npm run build.')
  await freePort(7420)
  const home = mkdtempSync('/tmp/tp-')
  const checkout = join(home, 'toolpact')
  mkdirSync(checkout)
  for (const name of ['package.json', 'toolpact.json', 'dist', 'examples', 'schemas', 'docs/contracts.json'])
    cpSync(join(root, name), join(checkout, name), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(checkout, 'node_modules'))
  // What `npm link` makes.
  const prefix = join(home, '.npm-global')
  mkdirSync(join(prefix, 'lib/node_modules'), { recursive: true })
  mkdirSync(join(prefix, 'bin'))
  symlinkSync(checkout, join(prefix, 'lib/node_modules/toolpact'))
  symlinkSync('../lib/node_modules/toolpact/dist/cli/toolpact.js', join(prefix, 'bin/toolpact'))
  const folder = mkdtempSync('/tmp/toolpact-guides-')
  const terminals = openTerminals({
    folder,
    cwd: checkout,
    ...size,
    env: {
      HOME: home,
      PATH: [join(prefix, 'bin'), dirname(process.execPath), process.env.PATH].join(':'),
      TERM: 'xterm-256color',
      NO_PAGER: '1',
      LANG: 'C.UTF-8',
      USER: 'margaret',
      // For what a reader does in a client.
      AGENT: join(root, 'test/guides/stand-in.ts'),
      MODEL_SERVER: join(root, 'test/guides/stand-in-model.ts'),
      TZ: 'UTC',
      npm_config_prefix: prefix,
      npm_config_update_notifier: 'false',
      npm_config_fund: 'false',
      npm_config_audit: 'false',
    },
  })
  const opened = new Map<string, Terminal>()
  return {
    open(name: string): Terminal {
      const terminal = opened.get(name) ?? terminals.open(name, opened.keys().next().value)
      opened.set(name, terminal)
      return terminal
    },
    /** Text of the terminal as the pages show it, and the other way round. */
    toShown: (text: string) =>
      text
        .replaceAll(home, shownHome)
        .replaceAll(process.execPath, '/usr/bin/node')
        .replaceAll(`by ${userInfo().username}`, 'by margaret'),
    toActual: (text: string) => text.replaceAll(shownHome, home).replaceAll('/usr/bin/node', process.execPath),
    async [Symbol.asyncDispose]() {
      for (const terminal of opened.values()) terminal.press('C-c')
      await freePort(7420).catch(() => undefined)
      terminals.close()
      for (const path of [home, folder]) rmSync(path, { recursive: true, force: true, maxRetries: 10 })
    },
  }
}

/** Waits until nothing listens on a port: the pages use the default one. */
async function freePort(port: number): Promise<void> {
  for (const end = Date.now() + 60_000; !(await isFree(port)); await sleep(200))
    if (Date.now() > end) throw new Error(`Something else listens on port ${port}, which the pages use. Stop it first.`)
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}
