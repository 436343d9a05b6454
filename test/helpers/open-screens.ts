import { spawn, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'

export const hasTmux = spawnSync('tmux', ['-V']).status === 0

let servers = 0

/** Terminals for running command lines in a folder, as a person would. Needs tmux. */
export function openScreens({ folder, env }: { folder: string; env: NodeJS.ProcessEnv }) {
  const socket = `toolpact-test-${process.pid}-${servers++}`
  // A person's terminal, even if the tests run in CI, where commands do not animate.
  const { CI: _, ...personal } = env
  let opened = 0
  let control: ReturnType<typeof openControl> | undefined

  /** Runs a line in a new terminal; `done:` appears with the exit code at the end. */
  function open(title: string, line: string, columns = 120) {
    // A retried test opens its terminals again.
    const name = `${title}-${opened++}`
    const script = join(folder, `${name}.sh`)
    writeFileSync(script, `trap : INT\ncd "${folder}"\n${line}\necho "done:$?"\nsleep 60\n`)
    control ??= openControl(socket, personal)
    const { tell } = control
    void tell('new-session', '-d', '-s', name, '-x', `${columns}`, '-y', '40', `sh "${script}"`)
    const capture = (...flags: string[]) => tell('capture-pane', ...flags, '-p', '-t', name)
    let seen = ''
    return {
      resize: (columns: number) => void tell('resize-window', '-t', name, '-x', `${columns}`, '-y', '40'),
      type: (...keys: string[]) => void tell('send-keys', '-t', name, ...keys),
      /** The lines of the screen after the last wait, without trailing blank lines. */
      lines: () => seen.trimEnd().split('\n'),
      /** Waits until something appears, and returns the screen with colours. */
      async until(words: string | RegExp | ((seen: string) => boolean), ms = 90_000): Promise<string> {
        for (const end = Date.now() + ms; Date.now() < end; await sleep(50)) {
          seen = await capture()
          const appears =
            typeof words === 'string' ? seen.includes(words) : words instanceof RegExp ? words.test(seen) : words(seen)
          if (appears) return capture('-e')
        }
        throw new Error(`'${words}' did not appear on:\n${seen}`)
      },
    }
  }

  return { open, close: () => control?.close() }
}

/** A tmux server in control mode: one process per command would dominate the time of a test. */
function openControl(socket: string, env: NodeJS.ProcessEnv) {
  const options = ['-u', '-L', socket, '-f', '/dev/null', '-C']
  // The server must not outlive this process for long.
  const start = ['new-session', '-s', 'control', 'cat', ';', 'set', '-t', 'control', 'destroy-unattached', 'on']
  const child = spawn('tmux', [...options, ...start], { env, stdio: ['pipe', 'pipe', 'inherit'] })
  const waiting: PromiseWithResolvers<string>[] = []
  let answer: string[] | undefined
  createInterface(child.stdout).on('line', (line) => {
    // The last field is 1 in responses to our commands.
    const [, mark] = /^%(begin|end|error) \d+ \d+ 1$/.exec(line) ?? []
    if (mark === 'begin') answer = []
    else if (mark !== undefined) {
      const text = `${answer!.join('\n')}\n`
      if (mark === 'end') waiting.shift()!.resolve(text)
      else waiting.shift()!.reject(new Error(`tmux: ${text}`))
      answer = undefined
    } else answer?.push(line)
  })
  child.on('exit', () => {
    for (const { reject } of waiting) reject(new Error('tmux has ended.'))
  })
  return {
    tell(...words: string[]): Promise<string> {
      const told = Promise.withResolvers<string>()
      waiting.push(told)
      child.stdin.write(`${words.map((word) => `'${word.replaceAll("'", String.raw`'\''`)}'`).join(' ')}\n`)
      return told.promise
    },
    close: () => spawnSync('tmux', ['-L', socket, 'kill-server']),
  }
}
