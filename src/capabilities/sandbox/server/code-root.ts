import { existsSync, realpathSync, statSync } from 'node:fs'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import { isInside } from '../../../policy/path.ts'

/** Files that mark the folder of a program. */
const markers = ['package.json', 'pyproject.toml', 'node_modules', 'go.mod', 'Cargo.toml', 'requirements.txt', '.venv']

/**
 * What a command names: the folders that contain the code of its program and of arguments that are code, and arguments that
 * are other files. Of code, the outermost folder with `node_modules`, else the nearest with a marker, else the folder of the
 * file; never the home directory or one around it.
 */
export function findCodeRoots(
  program: string,
  args: readonly string[],
  { cwd, home }: { readonly cwd: string; readonly home: string },
): string[] {
  const named = args.filter((arg) => !arg.startsWith('-')).map((arg) => resolve(cwd, arg))
  const found = [program, ...named]
    .filter(isFile)
    .flatMap((path) => [path, realpathSync(path)])
    .map((path) => (path === program || isCode.test(path) ? findRoot(path, home) : path))
  return [...new Set(found)]
}

const isCode = /\.(?:[cm]?[jt]sx?|py|rb|php|pl|lua|sh|jar|wasm|exs?)$/

function findRoot(file: string, home: string): string {
  const around: string[] = []
  for (let folder = dirname(file); folder !== dirname(folder); folder = dirname(folder)) around.push(folder)
  const own = around.filter((folder) => !isInside(folder, home, process.platform) && !shared.includes(folder))
  const outermost = own.findLast((folder) => existsSync(join(folder, 'node_modules')))
  const marked = own.find((folder) => markers.some((name) => existsSync(join(folder, name))))
  return outermost ?? marked ?? (own[0] === dirname(file) ? own[0] : file)
}

/** Folders of everybody's files. */
const shared = ['/', '/tmp', '/var/tmp', '/home', '/Users', '/private/tmp', '/mnt', '/media', '/srv', '/var', '/etc']

/** What an entry says about a server. */
interface NamingEntry {
  readonly args?: readonly string[] | undefined
  readonly env?: { readonly [name: string]: string } | undefined
}

/** The folders that arguments and variables name, such as those that a file server serves; of a file, the folder around it. */
export function findNamedFolders({ args = [], env = {} }: NamingEntry, cwd: string, home: string): string[] {
  const values = args.flatMap((arg) => (/^--?[\w-]+=/.test(arg) ? [arg.slice(arg.indexOf('=') + 1)] : [arg]))
  const paths = values.filter((arg) => isAbsolute(arg) || /^\.{0,2}\//.test(arg) || /^\.{1,2}$/.test(arg))
  const folders = paths.map((path) => resolve(cwd, path)).filter(isFolder)
  const inVariables = Object.values(env)
    .filter(isAbsolute)
    .map((path) => (isFolder(path) ? path : dirname(path)))
  const own = inVariables.filter(
    (path) => isFolder(path) && !shared.includes(path) && !isInside(path, home, process.platform),
  )
  return [...new Set([...folders, ...own])]
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false
}
