/** A registry package that a command runs. */
export interface RunPackage {
  /** Such as `npm:@scope/name`. */
  readonly package: string
  /** If the command names an exact one. */
  readonly version?: string
  /** As written in the command. */
  readonly spec: string
}

interface Runner {
  readonly registry: 'npm' | 'pypi'
  /** Options that name the package, and options that take another value. */
  readonly packageOptions: readonly string[]
  readonly valueOptions: readonly string[]
}

const npm: Runner = { registry: 'npm', packageOptions: ['-p', '--package'], valueOptions: ['--registry', '--cache', '--prefix', '-w', '--workspace'] } // biome-ignore format: one line
const pypi: Runner = { registry: 'pypi', packageOptions: ['--from', '--spec'], valueOptions: ['--python', '-p', '--with', '--index-url', '--default-index', '--index', '--directory'] } // biome-ignore format: one line

/** Package runners, by the first words of the command. */
const runners: readonly (readonly [words: readonly string[], runner: Runner])[] = [
  [['npx'], npm],
  [['npm', 'exec'], npm],
  [['npm', 'x'], npm],
  [['pnpx'], npm],
  [['pnpm', 'dlx'], npm],
  [['yarn', 'dlx'], npm],
  [['bunx'], npm],
  [['bun', 'x'], npm],
  [['uvx'], pypi],
  [['uv', 'tool', 'run'], pypi],
  [['pipx', 'run'], pypi],
]

/** The package that a command runs; undefined if it runs something else or cannot be determined. */
export function packageOf(command: string, args: readonly string[]): RunPackage | undefined {
  const words = [command.replace(/^.*[\\/]/, '').replace(/\.(?:cmd|exe|ps1)$/i, ''), ...args]
  // On Windows, scripts are run through a shell.
  const bare = words[0] === 'cmd' && /^\/c$/i.test(words[1] ?? '') ? words.slice(2) : words
  const [start, runner] = runners.find(([start]) => start.every((word, index) => bare[index] === word)) ?? []
  const spec = start && runner && findSpec(bare.slice(start.length), runner)
  return spec === undefined ? undefined : parseSpec(spec, runner!.registry)
}

function findSpec(args: readonly string[], { packageOptions, valueOptions }: Runner): string | undefined {
  const named: string[] = []
  for (let index = 0; index < args.length; index++) {
    const arg = args[index]!
    const [option = '', value] = arg.startsWith('--') ? splitOption(arg) : [arg]
    if (!arg.startsWith('-') || arg === '--') {
      const spec = arg === '--' ? args[index + 1] : arg
      return named.length > 0 ? onlyOf(named) : spec
    }
    if (packageOptions.includes(option)) named.push(value ?? args[++index] ?? '')
    else if (valueOptions.includes(option) && value === undefined) index++
  }
  return onlyOf(named)
}

function splitOption(arg: string): [option: string, value: string | undefined] {
  const [, option = arg, value] = /^(--[^=]+)(?:=(.*))?$/s.exec(arg) ?? []
  return [option, value]
}

function onlyOf(specs: readonly string[]): string | undefined {
  return specs.length === 1 ? specs[0] : undefined
}

const forms = {
  npm: /^((?:@[a-z0-9~-][\w.~-]*\/)?[a-z0-9~-][\w.~-]*)(?:@(.+))?$/i,
  pypi: /^([a-z0-9][\w.-]*)(?:\[[\w,. -]*\])?(?:(?:==|@)(.+))?$/i,
}
const exact = { npm: /^\d+\.\d+\.\d+(?:[-+][\w.+-]+)?$/, pypi: /^\d+(?:\.\d+)*(?:[\w.+!-]*)$/ }

function parseSpec(spec: string, registry: Runner['registry']): RunPackage | undefined {
  const [, name, version] = forms[registry].exec(spec) ?? []
  if (name === undefined) return undefined
  const isExact = version !== undefined && exact[registry].test(version)
  return { package: `${registry}:${name}`, ...(isExact && { version }), spec }
}
