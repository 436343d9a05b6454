import { hash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A package that `npx` or `npm exec` runs. */
export interface NpmCommand {
  readonly spec: string
  /** The program of the package, if it is named. */
  readonly bin?: string
  readonly args: readonly string[]
}

const withValue = ['--registry', '--cache', '--prefix', '-w', '--workspace']

/** Undefined if the command is another one, or needs npx itself. */
export function readNpmCommand(command: string, args: readonly string[]): NpmCommand | undefined {
  const [name, rest] = toRest(command.replace(/^.*[\\/]/, ''), args)
  if (name === undefined) return undefined
  let spec: string | undefined
  for (let at = 0; at < rest.length; at++) {
    const word = rest[at]!
    const [, option = word, value] = /^(--[^=]+)=(.*)$/s.exec(word) ?? []
    if (option === '-p' || option === '--package') {
      if (spec !== undefined) return undefined
      spec = value ?? rest[++at]
    } else if (option === '-c' || option === '--call') return undefined
    else if (withValue.includes(option)) {
      if (value === undefined) at++
    } else if (word === '--' || !word.startsWith('-')) {
      const left = rest.slice(word === '--' ? at + 1 : at)
      const [first, ...others] = left
      if (first === undefined) return undefined
      const found = spec === undefined ? { spec: first } : { spec, bin: first }
      // A folder, an address or a repository is left to npx.
      return isRegistrySpec(found.spec) ? { ...found, args: others[0] === '--' ? others.slice(1) : others } : undefined
    }
  }
  return undefined
}

function toRest(name: string, args: readonly string[]): [string, readonly string[]] | [undefined, readonly string[]] {
  if (name === 'npx') return [name, args]
  return name === 'npm' && (args[0] === 'exec' || args[0] === 'x') ? [name, args.slice(1)] : [undefined, []]
}

function isRegistrySpec(spec: string): boolean {
  return /^(?:@[a-z0-9~-][\w.~-]*\/)?[a-z0-9~-][\w.~-]*(?:@[\w.^~<>=*| -]+)?$/i.test(spec)
}

/** Whether a start uses what is installed: as with npx, only a tag or a range is looked up again. */
export function isSettled(spec: string): boolean {
  const [, version] = /^@?[^@]+(?:@(.+))?$/.exec(spec) ?? []
  return version === undefined || /^\d+\.\d+\.\d+/.test(version)
}

/** The folder of a package among those installed for a server. */
export function toPackageFolder(packages: string, spec: string): string {
  return join(packages, 'npm-packages', hash('sha256', spec).slice(0, 16))
}

/** The program of an installed package, by the rule of npx; undefined if it is not installed. */
export function findInstalledBin(folder: string, bin?: string): string | undefined {
  const [name] = Object.keys(readJson(join(folder, 'package.json')).dependencies ?? {})
  if (name === undefined) return undefined
  const { bin: bins } = readJson(join(folder, 'node_modules', name, 'package.json'))
  const plain = name.replace(/^@[^/]+\//, '')
  const names = typeof bins === 'string' ? [plain] : Object.keys(bins ?? {})
  const chosen = bin ?? (names.length === 1 ? names[0] : names.find((one) => one === plain))
  const path = chosen === undefined ? undefined : join(folder, 'node_modules', '.bin', chosen)
  return path !== undefined && existsSync(path) ? path : undefined
}

interface Manifest {
  readonly dependencies?: { readonly [name: string]: string }
  readonly bin?: string | { readonly [name: string]: string }
}

function readJson(path: string): Manifest {
  try {
    return Object(JSON.parse(readFileSync(path, 'utf8'))) as Manifest
  } catch {
    return {}
  }
}
