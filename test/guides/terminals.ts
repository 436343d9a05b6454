import { spawnSync } from 'node:child_process'
import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

export type Terminal = ReturnType<ReturnType<typeof openTerminals>['open']>

interface TerminalOptions {
  /** For files that the shell in the terminal should not see by listing its folder. */
  readonly folder: string
  readonly cwd: string
  readonly env: { readonly [name: string]: string }
  readonly columns?: number
  readonly rows?: number
}

/** Terminals with a shell, in tmux. */
export function openTerminals({ folder, cwd, env, columns = 80, rows = 120 }: TerminalOptions) {
  const socket = `toolpact-guides-${process.pid}-${Date.now()}`

  function tmux(...args: string[]): string {
    const { status, stdout, stderr } = spawnSync('tmux', ['-u', '-L', socket, '-f', '/dev/null', ...args], {
      cwd,
      env,
      encoding: 'utf8',
    })
    if (status !== 0) throw new Error(`tmux ${args[0]}: ${stderr}`)
    return stdout
  }

  /** A terminal whose shell starts in the folder of another one. */
  function open(name: string, beside?: string) {
    const folderOf =
      beside === undefined ? cwd : tmux('display-message', '-p', '-t', beside, '#{pane_current_path}').trim()
    const ended = join(folder, `${name}.ended`)
    const step = join(folder, `${name}.step`)
    writeFileSync(ended, '')
    // Bash writes a byte before each prompt.
    const variables = { ...env, PS1: '$ ', PROMPT_COMMAND: `printf . >>"${ended}"`, STEP: step }
    const shell = ['env', '-i', ...Object.entries(variables).map(([key, value]) => `${key}=${value}`), 'bash', '--norc', '--noprofile'] // biome-ignore format: one line
    tmux('new-session', '-d', '-s', name, '-x', `${columns}`, '-y', `${rows}`, '-c', folderOf, ...shell)
    tmux('set-option', '-t', name, 'history-limit', '5000')
    const prompts = () => statSync(ended).size
    const type = (keys: string) => tmux('send-keys', '-t', name, '-l', '--', keys)
    const press = (key: string) => tmux('send-keys', '-t', name, key)
    const capture = (...flags: string[]) => tmux('capture-pane', '-p', '-t', name, ...flags)

    return {
      type,
      press,
      capture,
      isAtPrompt: (count: number) => prompts() >= count,
      prompts,
      /** Runs lines of shell as if they were typed, on an empty screen. Resolves when they begin. */
      async start(lines: string): Promise<void> {
        await waitFor(() => prompts() > 0, 'a prompt')
        writeFileSync(step, lines)
        tmux('send-keys', '-t', name, '-R')
        tmux('clear-history', '-t', name)
        type('. "$STEP"')
        press('Enter')
      },
      /** What the lines have written so far. Lines that only the terminal broke are joined. */
      output(): string {
        const [, ...lines] = capture('-J', '-S', '-').trimEnd().split('\n')
        const last = lines.pop()?.trimEnd().replace(/\$$/, '') ?? ''
        return [...lines, ...(last === '' ? [] : [last])].map((line) => `${line.trimEnd()}\n`).join('')
      },
    }
  }

  return {
    open,
    close() {
      spawnSync('tmux', ['-L', socket, 'kill-server'])
    },
  }
}

export async function waitFor(isTrue: () => boolean, what: string, ms = 60_000): Promise<void> {
  for (const end = Date.now() + ms; !isTrue(); await sleep(40))
    if (Date.now() > end) throw new Error(`Waited ${ms / 1000} s for ${what}.`)
}
