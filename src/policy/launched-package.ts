/** A program that installs a package of a registry, and runs it. */
export type LauncherName = 'npm' | 'pnpm' | 'yarn' | 'bun' | 'uv' | 'pipx'

/** What a launcher installs and runs. */
export interface LaunchedPackage {
  readonly launcher: LauncherName
  /** The packages to install, as written. */
  readonly specs: readonly string[]
  /** The program to run, if the command names it besides its package. */
  readonly program?: string
  readonly args: readonly string[]
  /** Other options of the launcher. */
  readonly options: readonly (readonly [name: string, value?: string])[]
}

interface Launcher {
  readonly name: LauncherName
  /** Options that name a package, that take another value, and that run something else than a program of the package. */
  readonly packageOptions: readonly string[]
  readonly valueOptions: readonly string[]
  readonly otherwise: readonly string[]
}

const npm: Launcher = {
  name: 'npm',
  packageOptions: ['-p', '--package'],
  valueOptions: ['--registry', '--cache', '--prefix', '-w', '--workspace'],
  otherwise: ['-c', '--call'],
}
const pnpm: Launcher = { ...npm, name: 'pnpm', packageOptions: ['--package'], valueOptions: ['--registry', '--reporter', '-C', '--dir'], otherwise: ['-c', '--shell-mode'] } // biome-ignore format: one line
const yarn: Launcher = { ...npm, name: 'yarn', valueOptions: [], otherwise: [] }
const bun: Launcher = { ...npm, name: 'bun', valueOptions: ['--registry'], otherwise: [] }
const uv: Launcher = {
  name: 'uv',
  packageOptions: ['--from'],
  valueOptions: [
    ...['--python', '-p', '--with', '--with-editable', '--with-requirements', '--index-url', '-i', '--default-index'],
    ...[
      '--index',
      '--extra-index-url',
      '--find-links',
      '-f',
      '--directory',
      '--project',
      '--config-file',
      '--cache-dir',
    ],
    ...['--prerelease', '--resolution', '--exclude-newer', '--index-strategy', '--constraints', '-c', '--overrides'],
  ],
  otherwise: ['--env-file'],
}
const pipx: Launcher = {
  name: 'pipx',
  packageOptions: ['--spec'],
  valueOptions: ['--python', '--pip-args', '--index-url', '-i'],
  otherwise: ['--pypackages', '--path'],
}

/** Launchers by the words that their commands begin with. */
const launchers: readonly (readonly [words: readonly [string, ...string[]], launcher: Launcher])[] = [
  [['npx'], npm],
  [['npm', 'exec'], npm],
  [['npm', 'x'], npm],
  [['pnpx'], pnpm],
  [['pnpm', 'dlx'], pnpm],
  [['yarn', 'dlx'], yarn],
  [['bunx'], bun],
  [['bun', 'x'], bun],
  [['uvx'], uv],
  [['uv', 'tool', 'run'], uv],
  [['pipx', 'run'], pipx],
]

/** What a command launches: undefined if it is no launcher, `unclear` if its package cannot be determined. */
export function readLaunched(command: string, args: readonly string[]): LaunchedPackage | 'unclear' | undefined {
  const words = [command.replace(/^.*[\\/]/, '').replace(/\.(?:cmd|exe|ps1)$/i, ''), ...args]
  // On Windows, scripts are run through a shell.
  const [name, ...rest] = words[0] === 'cmd' && /^\/c$/i.test(words[1] ?? '') ? words.slice(2) : words
  for (const [[first, ...more], launcher] of launchers) {
    const found = first === name ? readWords(rest, more, launcher) : undefined
    if (found !== undefined) return found
  }
  return undefined
}

/** `expected`: words that must come before the package. Options may precede them. */
function readWords(words: readonly string[], expected: readonly string[], launcher: Launcher) {
  const { name, packageOptions, valueOptions, otherwise } = launcher
  const missing = [...expected]
  const named: string[] = []
  const options: [string, string?][] = []
  let isUnclear = false
  let at = 0
  for (; at < words.length; at++) {
    const word = words[at]!
    if (word === '--' || !word.startsWith('-')) {
      if (missing.length === 0) break
      if (word !== missing.shift()) return undefined
      continue
    }
    const [, option = word, value] = /^(--[^=]+)(?:=(.*))?$/s.exec(word) ?? []
    if (packageOptions.includes(option)) named.push(value ?? words[++at] ?? '')
    else if (otherwise.includes(option)) isUnclear = true
    else if (value === undefined && valueOptions.includes(option)) options.push([option, words[++at] ?? ''])
    else options.push(value === undefined ? [option] : [option, value])
  }
  if (missing.length > 0) return undefined
  const [first, ...args] = words.slice(words[at] === '--' ? at + 1 : at)
  const specs = named.length > 0 ? named : first === undefined ? [] : [first]
  if (isUnclear || specs.length === 0 || specs.some((spec) => spec === '' || spec.startsWith('-'))) return 'unclear'
  return {
    launcher: name,
    specs,
    ...(named.length > 0 && first !== undefined && { program: first }),
    args: name === 'npm' && args[0] === '--' ? args.slice(1) : args,
    options,
  }
}

/** A registry package that a command runs. */
export interface RunPackage {
  /** Such as `npm:@scope/name`. */
  readonly package: string
  /** If the command names an exact one. */
  readonly version?: string
  /** As written in the command. */
  readonly spec: string
}

/** The package that a command runs; undefined if it runs something else or cannot be determined. */
export function packageOf(command: string, args: readonly string[]): RunPackage | undefined {
  const launched = readLaunched(command, args)
  if (launched === undefined || launched === 'unclear') return undefined
  const [spec, ...others] = launched.specs
  return others.length > 0 ? undefined : parseSpec(spec!, toRegistry(launched.launcher))
}

export function toRegistry(launcher: LauncherName): 'npm' | 'pypi' {
  return launcher === 'uv' || launcher === 'pipx' ? 'pypi' : 'npm'
}

const forms = {
  npm: /^((?:@[a-z0-9~-][\w.~-]*\/)?[a-z0-9~-][\w.~-]*)(?:@(.+))?$/i,
  pypi: /^([a-z0-9][\w.-]*)(?:\[[\w,. -]*\])?(?:(?:==|@)(.+))?$/i,
}
const exact = { npm: /^\d+\.\d+\.\d+(?:[-+][\w.+-]+)?$/, pypi: /^\d+(?:\.\d+)*(?:[\w.+!-]*)$/ }

/** The name of the package in a spec; undefined for an address or a path. */
export function packageNameOf(spec: string, registry: 'npm' | 'pypi'): string | undefined {
  return (registry === 'npm' ? forms.npm : /^([a-z0-9][\w.-]*)(?:\[[\w,. -]*\])?(?:[@=<>!~].*)?$/i).exec(spec)?.[1]
}

function parseSpec(spec: string, registry: 'npm' | 'pypi'): RunPackage | undefined {
  const [, name, version] = forms[registry].exec(spec) ?? []
  if (name === undefined) return undefined
  const isExact = version !== undefined && exact[registry].test(version)
  return { package: `${registry}:${name}`, ...(isExact && { version }), spec }
}
