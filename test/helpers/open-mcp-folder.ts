import { mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { openCommandFolder } from './run-command.ts'

/** A folder with a separate home, for running `toolpact mcp` as a process. */
export function openMcpFolder(files: { readonly [path: string]: unknown } = {}) {
  const opened = openCommandFolder()
  const folder = realpathSync(opened.folder)
  const env = {
    ...opened.env,
    HOME: join(folder, 'home'),
    USERPROFILE: join(folder, 'home'),
    XDG_CONFIG_HOME: undefined,
  }
  const write = (path: string, content: unknown) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), typeof content === 'string' ? content : JSON.stringify(content, null, 2))
  }
  for (const [path, content] of Object.entries(files)) write(path, content)
  const runWith = (own: NodeJS.ProcessEnv, ...args: string[]) => opened.run(args, { env: own })
  const command = (...args: string[]) => runWith(env, ...args)
  const run = (...args: string[]) => command('mcp', ...args)
  const read = (path = 'toolpact.json') => readFileSync(join(folder, path), 'utf8')
  return {
    ...opened,
    start: opened.run,
    env,
    folder,
    write,
    read,
    command,
    runWith,
    run,
    file: join(folder, 'toolpact.json'),
  }
}
