import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

/** Whether a launcher has started the server; undefined if processes cannot be inspected. */
export async function hasServerProcess(launcher: number): Promise<boolean | undefined> {
  if (process.platform === 'win32') return undefined
  return isIn(launcher, process.platform === 'linux' ? readProc : await readPs())
}

interface Found {
  readonly pid: number
  readonly words: readonly string[]
  /** The package script that npm runs, if known. */
  readonly script?: string | undefined
}

type ChildrenOf = ((pid: number) => Found[]) | undefined

function isIn(pid: number, childrenOf: ChildrenOf, depth = 0): boolean | undefined {
  if (!childrenOf) return undefined
  return childrenOf(pid).some((child) => {
    if (isHelper(child)) return false
    return isLauncher(child.words) && depth < 5 ? isIn(child.pid, childrenOf, depth + 1) : true
  })
}

/** Processes that launchers start while installing: package scripts, git, interpreter checks, builds. */
function isHelper({ words, script }: Found): boolean {
  if (script !== undefined && /install|prepare|prepack/.test(script)) return true
  const [program = '', first = '', second = ''] = words.map(toName)
  if (/^(?:git|ssh|tar|gzip|curl|node-gyp|make|cc|gcc|cargo)$/.test(program)) return true
  if (/^python[\d.]*$/.test(program)) return [first, second].some((word) => /^-[cI]$/.test(word))
  return program === 'bun' && /^(?:add|install)$/.test(first)
}

/** A launcher started by another one, such as the shim of a version manager. */
function isLauncher(words: readonly string[]): boolean {
  const [program = '', first = ''] = words.map(toName)
  if (/^(?:npx|npm|pnpm|pnpx|yarn|bunx|uvx|pipx|corepack)$/.test(program) || /^npm (?:exec|x)/.test(program))
    return true
  if (program === 'uv' || program === 'bun') return /^(?:tool|run|x)$/.test(first)
  return /^(?:npx-cli|npm-cli|pnpm|pnpx|yarn|corepack)\.c?js$/.test(first) || /^(?:npx|npm|pnpm|yarn)$/.test(first)
}

function toName(word: string): string {
  return word.replace(/^.*\//, '')
}

function readProc(pid: number): Found[] {
  return read(() => readdirSync(`/proc/${pid}/task`))
    .flatMap((task) => read(() => readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').trim().split(' ')))
    .filter((child) => child !== '')
    .map((child) => ({
      pid: Number(child),
      words: read(() => readFileSync(`/proc/${child}/cmdline`, 'utf8').split('\0')),
      script: read(() => readFileSync(`/proc/${child}/environ`, 'utf8').split('\0'))
        .find((entry) => entry.startsWith('npm_lifecycle_event='))
        ?.slice('npm_lifecycle_event='.length),
    }))
}

/** A process may exit while it is being inspected. */
function read(get: () => string[]): string[] {
  try {
    return get()
  } catch {
    return []
  }
}

function readPs(): Promise<ChildrenOf> {
  return new Promise((resolve) => {
    execFile('ps', ['-axo', 'pid=,ppid=,command='], { maxBuffer: 16 * 1024 * 1024 }, (fault, text) => {
      if (fault) return resolve(undefined)
      const rows = text.split('\n').flatMap((line) => {
        const [, pid, parent, command = ''] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? []
        return pid === undefined ? [] : [{ pid: Number(pid), parent: Number(parent), words: command.split(' ') }]
      })
      const byParent = Map.groupBy(rows, ({ parent }) => parent)
      resolve((pid) => byParent.get(pid) ?? [])
    })
  })
}
