import { spawn } from 'node:child_process'
import { accessSync, constants, existsSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import type { Walk } from './search-request.ts'

/** The path of the bundled `rg`, or false if there is none for this system. */
export async function findRipgrep(): Promise<string | false> {
  try {
    const { rgPath } = await import('@vscode/ripgrep')
    accessSync(rgPath, constants.X_OK)
    return rgPath
  } catch {
    return false
  }
}

/** Skips `.git`, even if an ignore file includes hidden names. Checking every path takes a tenth of a walk. */
export const withoutGit = '--glob=!.git'

type RipgrepEnd = 'done' | 'timeout' | 'volume' | 'missing'

interface RipgrepRun {
  readonly end: RipgrepEnd
  readonly failed: boolean
  /** The start of its standard error. */
  readonly complaint: string
  /** Files and directories that it could not read. */
  readonly unreadable: number
}

/**
 * Runs `rg` in the walk's directory and streams its output until it ends, times out, or `take` has enough. Patterns are
 * never parsed as options: each follows `-e`, or is in one word with its option.
 */
export async function runRipgrep(
  walk: Walk,
  options: readonly string[],
  take: (chunk: Buffer) => 'more' | 'enough',
): Promise<RipgrepRun> {
  const { setting, start, signal } = walk
  signal?.throwIfAborted()
  // Otherwise a small search might end before its timer fires, and whether it timed out would be random.
  if (performance.now() >= walk.deadline || walk.hurry?.aborted)
    return { end: 'timeout', failed: false, complaint: '', unreadable: 0 }
  const child = spawn(setting.ripgrep || 'rg', [...toOptions(walk), ...options], {
    cwd: start.path,
    // Isolated from the environment: no configuration file, no PWD that names another directory.
    env: process.platform === 'win32' ? { SystemRoot: process.env.SystemRoot } : {},
    // It starts no processes, so it needs no process group.
    stdio: ['ignore', 'pipe', 'pipe'],
    windowsHide: true,
  })
  let end: RipgrepEnd = 'done'
  let complaint = ''
  let lastLine = ''
  let unreadable = 0
  let isTelling = false
  const stop = (why: RipgrepEnd) => {
    end = why
    child.kill('SIGKILL')
  }
  const timer = setTimeout(() => stop('timeout'), Math.max(0, walk.deadline - performance.now()))
  const abort = () => stop('timeout')
  signal?.addEventListener('abort', abort)
  walk.hurry?.addEventListener('abort', abort)
  child.stdout.on('data', (chunk: Buffer) => {
    if (end === 'done' && take(chunk) === 'enough') stop('volume')
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    const lines = (lastLine + text).split('\n')
    lastLine = lines.pop()!.slice(-10_000)
    for (const line of lines) {
      if (line.startsWith('rg: DEBUG|')) {
        isTelling = true
        if (line.startsWith('rg: DEBUG|ignore::walk|')) walk.onSkip?.()
        continue
      }
      if (complaint.length < 4096) complaint += `${line}\n`
      if (unreadableLine.test(line)) unreadable++
    }
  })
  try {
    const code = await new Promise<number | null>((resolve) => {
      child.once('error', () => {
        end = 'missing'
        resolve(null)
      })
      child.once('close', resolve)
    })
    signal?.throwIfAborted()
    // Another version might word it differently.
    if (!isTelling && end === 'done') walk.onSkip?.()
    return { end, failed: code === 2, complaint, unreadable }
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', abort)
    walk.hurry?.removeEventListener('abort', abort)
  }
}

/** Files that vanished (2, and 3 on Windows) do not count. */
const unreadableLine = /\(os error (?![23]\))\d+\)$/

function toOptions({ setting, start, hidden, ignored, names, depth, onSkip }: Walk): string[] {
  const { confinement } = setting
  return [
    '--no-config',
    '--no-follow',
    '--color=never',
    // An exclusion is reported, a limit is not.
    ...(onSkip ? ['--debug', `--max-depth=${depth + 1}`, `--glob=!/${'*/'.repeat(depth)}*`] : [`--max-depth=${depth}`]),
    '--no-ignore-messages',
    '--no-ignore-global',
    '--no-require-git',
    ...(hasRulesAbove({ setting, start }) ? [] : ['--no-ignore-parent']),
    ...(hidden ? ['--hidden'] : []),
    ...(ignored ? ['--no-ignore'] : []),
    // Exclusions only: an including glob would bring back ignored files. Types narrow without that.
    ...confinement.deniedBelow(start.real).map((path) => `--glob=!/${toLiteralGlob(relative(start.real, path))}`),
    ...(names ? names.map((name) => `--type-add=wanted:${name}`) : []),
    ...(names ? ['--type=wanted'] : []),
  ]
}

/** Whether ignore files above the start apply: outside a repository, those above the root do not. */
export function hasRulesAbove({ setting, start }: Pick<Walk, 'setting' | 'start'>): boolean {
  return start.real !== setting.confinement.root || isInRepository(start.real)
}

function toLiteralGlob(path: string): string {
  return path.replaceAll(sep, '/').replace(/[\\*?[\]{}!]/g, '\\$&')
}

function isInRepository(directory: string): boolean {
  const parent = dirname(directory)
  return existsSync(join(directory, '.git')) || (parent !== directory && isInRepository(parent))
}
