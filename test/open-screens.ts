import { execFileSync, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

export const hasTmux = spawnSync('tmux', ['-V']).status === 0

let servers = 0

/** Terminals in which lines are run as a person would run them, in a folder. Needs tmux. */
export function openScreens({ folder, env }: { folder: string; env: NodeJS.ProcessEnv }) {
  const socket = `toolpact-test-${process.pid}-${servers++}`
  const tmux = (...args: string[]) =>
    execFileSync('tmux', ['-u', '-L', socket, '-f', '/dev/null', ...args], { encoding: 'utf8', env })

  /** Runs a line in a terminal of its own; `done:` appears with the exit code when it has ended. */
  function open(name: string, line: string) {
    const script = join(folder, `${name}.sh`)
    writeFileSync(script, `trap : INT\ncd "${folder}"\n${line}\necho "done:$?"\nsleep 60\n`)
    tmux('new-session', '-d', '-s', name, '-x', '120', '-y', '40', `sh "${script}"`)
    const capture = (...flags: string[]) => tmux('capture-pane', ...flags, '-p', '-t', name)
    return {
      type: (...keys: string[]) => tmux('send-keys', '-t', name, ...keys),
      /** The screen as lines, without the empty ones at its end. */
      lines: () => capture().trimEnd().split('\n'),
      /** Waits until something appears, and gives the screen with its colours. */
      async until(words: string | RegExp): Promise<string> {
        for (let tries = 0; tries < 200; tries++) {
          const screen = capture()
          if (typeof words === 'string' ? screen.includes(words) : words.test(screen)) return capture('-e')
          await sleep(100)
        }
        throw new Error(`'${words}' did not appear on:\n${capture()}`)
      },
    }
  }

  return { open, close: () => spawnSync('tmux', ['-L', socket, 'kill-server']) }
}
