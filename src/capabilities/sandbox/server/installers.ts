import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { type LaunchedPackage, type LauncherName, packageNameOf, toRegistry } from '../../../policy/launched-package.ts'
import { isInside } from '../../../policy/path.ts'
import { findProgram } from '../../process/find-program.ts'
import type { ServerCommand } from './server-command.ts'

/** How a launcher installs packages into a folder, so that their programs can be run without it. */
interface Installer {
  /** Options of the launcher that are for the install. */
  readonly passes: RegExp
  toWords(installing: Installing): readonly string[]
  toEnvironment?(installing: Installing): { readonly [name: string]: string }
}

interface Installing {
  /** An empty folder, in which it runs. */
  readonly folder: string
  readonly program: string
  readonly specs: readonly string[]
  readonly options: readonly string[]
  /** Of npm. */
  readonly registry: URL | undefined
}

const installers: { readonly [name in LauncherName]: Installer } = {
  npm: {
    passes: /^$/,
    toWords: ({ program, folder, specs, registry }) => [program, 'install', '--prefix', folder, '--no-audit', '--no-fund', '--loglevel=error', '--fetch-retries=1', '--fetch-retry-mintimeout=1000', ...(registry ? [`--registry=${registry.href}`] : []), ...specs], // biome-ignore format: one line
  },
  pnpm: {
    passes: /^--allow-build$/,
    toWords: ({ program, folder, specs, options, registry }) => [program, 'add', '--dir', folder, '--store-dir', join(folder, 'store'), ...(registry ? [`--registry=${registry.href}`] : []), ...options, ...specs], // biome-ignore format: one line
    // Its options differ between versions; variables that it does not know do no harm.
    toEnvironment: () =>
      Object.fromEntries(
        ['npm', 'pnpm'].flatMap((name) => [
          [`${name}_config_fetch_retries`, '1'],
          [`${name}_config_fetch_retry_mintimeout`, '1000'],
        ]),
      ),
  },
  yarn: {
    passes: /^$/,
    toWords: ({ program, specs }) => [program, 'add', ...specs],
    toEnvironment: ({ folder, registry }) => ({
      // Programs are found where the other package managers put them.
      YARN_NODE_LINKER: 'node-modules',
      YARN_ENABLE_GLOBAL_CACHE: 'false',
      YARN_CACHE_FOLDER: join(folder, 'store'),
      YARN_ENABLE_TELEMETRY: 'false',
      ...(registry && { YARN_NPM_REGISTRY_SERVER: registry.href.replace(/\/$/, '') }),
      ...(registry?.protocol === 'http:' && { YARN_UNSAFE_HTTP_WHITELIST: registry.hostname }),
    }),
  },
  bun: {
    passes: /^$/,
    toWords: ({ program, folder, specs }) => [program, 'add', '--cwd', folder, ...specs],
    toEnvironment: ({ registry }) => ({ ...(registry && { BUN_CONFIG_REGISTRY: registry.href }) }),
  },
  uv: {
    passes: /^(?!--(?:isolated|cache-dir|directory|project)$)/,
    toWords: ({ program, specs, options }) => [program, 'tool', 'install', '--compile-bytecode', ...options, ...specs],
    toEnvironment: ({ folder }) => ({ UV_CACHE_DIR: join(folder, 'store'), UV_TOOL_DIR: join(folder, 'tools'), UV_TOOL_BIN_DIR: join(folder, 'bin'), UV_PYTHON_INSTALL_DIR: join(folder, 'python') }), // biome-ignore format: one line
  },
  pipx: {
    passes: /^(?!--no-cache$)/,
    toWords: ({ program, specs, options }) => [program, 'install', ...options, ...specs],
    toEnvironment: ({ folder }) => ({ PIPX_HOME: join(folder, 'tools'), PIPX_BIN_DIR: join(folder, 'bin'), PIP_CACHE_DIR: join(folder, 'store') }), // biome-ignore format: one line
  },
}

/** What is needed only while a package is installed. */
export const leftovers = ['home', 'store', 'npm', 'bun', '.yarn']

export interface Install {
  readonly words: readonly string[]
  readonly environment: { readonly [name: string]: string }
  /** Files to write into the folder first. */
  readonly files: { readonly [name: string]: string }
  /** Addresses of the registry. */
  readonly registries: readonly URL[]
}

/** `isElsewhere`: in an image, whose programs and settings are its own. */
export async function toInstall(
  launched: LaunchedPackage,
  given: ServerCommand,
  { folder, isElsewhere }: { readonly folder: string; readonly isElsewhere: boolean },
): Promise<Install> {
  const { launcher, specs } = launched
  const { passes, toWords, toEnvironment } = installers[launcher]
  const program = isElsewhere ? launcher : findInstaller(launcher, given)
  const options = launched.options.filter(([name]) => passes.test(name)).flatMap(([name, value]) => (value === undefined ? [name] : name.startsWith('--') ? [`${name}=${value}`] : [name, value])) // biome-ignore format: one line
  const isNpm = toRegistry(launcher) === 'npm'
  const registries = isElsewhere ? [] : isNpm ? [await readNpmRegistry(launched, given)] : findIndexes(launched, given)
  const installing = { folder, program, specs, options, registry: isNpm ? registries[0] : undefined }
  return {
    words: toWords(installing),
    environment: { ...given.environment, ...toEnvironment?.(installing) },
    files: isNpm ? { 'package.json': '{ "private": true }\n', ...(launcher === 'yarn' && { 'yarn.lock': '' }) } : {},
    registries,
  }
}

/** The package manager beside its launcher, such as `npm` beside `npx`. */
function findInstaller(name: LauncherName, { program, environment }: ServerCommand): string {
  const beside = join(dirname(program), name)
  return existsSync(beside) ? beside : (findProgram(name, environment.PATH, '/nowhere') ?? beside)
}

/** The registry that the operator chose: in the command, or in the settings that the package manager reads. */
async function readNpmRegistry({ launcher, options }: LaunchedPackage, given: ServerCommand): Promise<URL> {
  const [, written] = options.find(([name]) => name === '--registry') ?? []
  const words = launcher === 'yarn' ? ['config', 'get', 'npmRegistryServer'] : ['config', 'get', 'registry']
  // Bun has no command that shows its settings, and reads those of npm.
  const program = launcher === 'bun' ? 'npm' : findInstaller(launcher, given)
  // Yarn runs programs that the settings of a folder name, so that it is asked in none.
  const settings = { env: given.environment, timeout: 20_000, cwd: launcher === 'yarn' ? '/' : given.cwd }
  const asked = written === undefined ? await promisify(execFile)(program, words, settings).catch(() => ({ stdout: '' })) : { stdout: written } // biome-ignore format: one line
  const url = URL.parse(asked.stdout.trim())
  return url && /^https?:$/.test(url.protocol) ? url : new URL('https://registry.npmjs.org/')
}

const indexOptions = ['--index-url', '-i', '--default-index', '--index', '--extra-index-url', '--find-links', '-f']
const indexVariables = /^(?:PIP|UV)_(?:INDEX_URL|EXTRA_INDEX_URL|DEFAULT_INDEX|INDEX|FIND_LINKS)$/

/** The Python indexes that the entry names, or the public one. */
function findIndexes({ options }: LaunchedPackage, { environment }: ServerCommand): URL[] {
  const inOptions = options.filter(([name]) => indexOptions.includes(name)).map(([, value = '']) => value)
  const inVariables = Object.entries(environment).filter(([name]) => indexVariables.test(name)).map(([, value]) => value) // biome-ignore format: one line
  // An index of uv may have a name: `internal=https://…`.
  const named = [...inOptions, ...inVariables].flatMap((text) => text.split(/\s+/)).flatMap((text) => URL.parse(text.replace(/^[\w-]+=(?=https?:)/, '')) ?? []) // biome-ignore format: one line
  const indexes = named.filter(({ protocol }) => /^https?:$/.test(protocol))
  return indexes.length > 0 ? indexes : ['https://pypi.org/', 'https://files.pythonhosted.org/'].map((url) => new URL(url)) // biome-ignore format: one line
}

/** The program that the launcher would run, relative to the folder of the installed package; undefined if there is none. */
export function findInstalledProgram(
  folder: string,
  { launcher, specs, program }: LaunchedPackage,
): string | undefined {
  if (toRegistry(launcher) === 'npm') return findNpmProgram(folder, program)
  const names = existsSync(join(folder, 'bin')) ? readdirSync(join(folder, 'bin')) : []
  const wanted = program ?? packageNameOf(specs[0]!, 'pypi')
  const chosen = names.find((name) => name === wanted) ?? (program === undefined && names.length === 1 ? names[0] : undefined) // biome-ignore format: one line
  return chosen === undefined ? undefined : join('bin', chosen)
}

function findNpmProgram(folder: string, program: string | undefined): string | undefined {
  const { name, bin: bins } = readNpmPackage(folder) ?? {}
  if (name === undefined) return undefined
  const plain = name.replace(/^@[^/]+\//, '')
  const names = typeof bins === 'string' ? [plain] : Object.keys(bins ?? {})
  const chosen = program ?? (names.length === 1 ? names[0] : names.find((one) => one === plain))
  const path = chosen === undefined ? undefined : join('node_modules', '.bin', chosen)
  return path !== undefined && existsSync(join(folder, path)) ? path : undefined
}

/** What was installed, as the lock compares it. */
export interface InstalledPackage {
  readonly name: string
  readonly version: string
  /** As the package manager has checked and recorded it. Yarn records another checksum, which cannot be compared. */
  readonly integrity?: string
}

export function readInstalledPackage(folder: string): InstalledPackage | undefined {
  const { name, version } = readNpmPackage(folder) ?? {}
  if (name === undefined || version === undefined) return undefined
  const integrity = findRecordedIntegrity(folder, name, version)
  return { name, version, ...(integrity !== undefined && { integrity }) }
}

function findRecordedIntegrity(folder: string, name: string, version: string): string | undefined {
  const [own, other] = [readText(folder, 'package-lock.json'), readText(folder, 'pnpm-lock.yaml') ?? readText(folder, 'bun.lock')] // biome-ignore format: one line
  if (own !== undefined) return (parse(own) as NpmLock).packages?.[`node_modules/${name}`]?.integrity
  const id = `${name}@${version}`
  const lines = other?.split('\n') ?? []
  const at = lines.findIndex((line) => line.includes(`["${id}",`) || [`${id}:`, `'${id}':`].includes(line.trim()))
  return at < 0 ? undefined : /sha512-[\w+/=]+/.exec(lines.slice(at, at + 2).join('\n'))?.[0]
}

interface NpmLock {
  readonly packages?: { readonly [path: string]: { readonly integrity?: string } }
}

interface Manifest {
  readonly name?: string
  readonly version?: string
  readonly dependencies?: { readonly [name: string]: string }
  readonly bin?: string | { readonly [name: string]: string }
}

/** The manifest of the package that was installed first. */
function readNpmPackage(folder: string): Manifest | undefined {
  const { dependencies = {} } = parse(readText(folder, 'package.json')) as Manifest
  const [name] = Object.keys(dependencies)
  return name === undefined ? undefined : { ...(parse(readText(folder, join('node_modules', name, 'package.json'))) as Manifest), name } // biome-ignore format: one line
}

function parse(text: string | undefined): object {
  try {
    return Object(JSON.parse(text ?? '')) as object
  } catch {
    return {}
  }
}

const maxTextBytes = 16_777_216

/** Install scripts wrote there: a link out of the folder, or a pipe, is not followed. */
function readText(folder: string, path: string): string | undefined {
  try {
    const real = realpathSync(join(folder, path))
    const { size } = statSync(real)
    const isOwn = isInside(realpathSync(folder), real, process.platform) && statSync(real).isFile()
    return isOwn && size <= maxTextBytes ? readFileSync(real, 'utf8') : undefined
  } catch {
    return undefined
  }
}
