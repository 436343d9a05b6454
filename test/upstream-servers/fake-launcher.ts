import { chmodSync, existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * A program with the name of a launcher (`npx`, `uvx`, `docker`): it installs until it is told that it may go on, and
 * then runs the words after its own arguments. Until then a script of a package runs beside it.
 */
export function makeLauncher(name: string, folder: string) {
  const directory = mkdtempSync(join(folder, 'launcher-'))
  const [go, log] = [join(directory, 'go'), join(directory, 'log')]
  const isDocker = name === 'docker'
  writeFileSync(
    join(directory, name),
    `#!${process.execPath}
const { appendFileSync, existsSync } = require('node:fs')
const { spawn } = require('node:child_process')
const [isDocker, log, go] = [${isDocker}, ${JSON.stringify(log)}, ${JSON.stringify(go)}]
const tell = (what) => appendFileSync(log, what + ' ' + process.pid + '\\n')
tell('begin')
const env = { ...process.env, npm_lifecycle_event: 'postinstall' }
const script = isDocker ? undefined : spawn('sleep', ['1000'], { env, stdio: 'ignore' })
if (isDocker) console.error("Unable to find image 'odd:latest' locally")
const timer = setInterval(() => {
  if (!existsSync(go)) return
  clearInterval(timer)
  script?.kill()
  if (isDocker) console.error('Status: Downloaded newer image for odd:latest')
  tell('installed')
  const [command, ...args] = process.argv.slice(isDocker ? 4 : 3)
  spawn(command, args, { stdio: 'inherit' }).on('exit', (code) => process.exit(code ?? 1))
}, 20)
`,
  )
  chmodSync(join(directory, name), 0o755)
  return {
    env: { PATH: `${directory}:${process.env.PATH}` },
    release: () => writeFileSync(go, ''),
    /** `begin` and `installed`, each with the process, in order. */
    events: () => (existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : []),
  }
}
