import { resolve } from 'node:path'
import type { ServerAddress } from './connect/client.ts'

/** The address in a config entry, in the format that other MCP clients use. */
export interface ServerEntry {
  readonly command?: string
  readonly args?: readonly string[]
  readonly env?: { readonly [name: string]: string }
  readonly cwd?: string
  readonly url?: string
  readonly headers?: { readonly [name: string]: string }
  readonly type?: string
}

export interface AddressContext {
  readonly environment: { readonly [name: string]: string | undefined }
  /** The folder of the config: `cwd` is relative to it. */
  readonly folder: string
}

/**
 * The address of a server, with `${NAME}` and `${NAME:-default}` expanded from the environment; or what is wrong with the
 * entry. Faults contain no values, which may be secret.
 */
export function toAddress(server: string, entry: ServerEntry, context: AddressContext): Addressed {
  try {
    return { address: new Expansion(server, context).toAddress(entry) }
  } catch (cause) {
    if (cause instanceof AddressFault) return { fault: cause.message }
    throw cause
  }
}

export type Addressed = { readonly address: ServerAddress } | { readonly fault: string }

class AddressFault extends Error {}

class Expansion {
  readonly #server: string
  readonly #context: AddressContext

  constructor(server: string, context: AddressContext) {
    this.#server = server
    this.#context = context
  }

  toAddress(entry: ServerEntry): ServerAddress {
    const { command, url } = entry
    if ((command === undefined) === (url === undefined)) throw this.#fault('needs either a command or a url')
    return url === undefined ? this.#toProcess(command!, entry) : this.#toUrl(url, entry)
  }

  #toProcess(command: string, { args = [], env = {}, cwd }: ServerEntry): ServerAddress {
    const expanded = this.#expandAll(env, 'env')
    const address: ServerAddress = {
      kind: 'stdio',
      command: this.#expand(command, 'command'),
      args: args.map((arg, index) => this.#expand(arg, `args/${index}`)),
      env: expanded,
      ...(cwd !== undefined && { cwd: resolve(this.#context.folder, this.#expand(cwd, 'cwd')) }),
    }
    if (address.command.trim() === '') throw this.#fault('has an empty command')
    for (const [where, text] of [...address.args.entries(), ['command', address.command] as const])
      if (text.includes('\0')) throw this.#fault(`has a NUL in ${where === 'command' ? where : `args/${where}`}`)
    for (const [name, value] of Object.entries(expanded))
      if (name === '' || /[=\0]/.test(name) || value.includes('\0'))
        throw this.#fault(`has an environment variable (${JSON.stringify(name)}) that no process can be given`)
    return address
  }

  #toUrl(url: string, { headers = {}, type }: ServerEntry): ServerAddress {
    const expanded = this.#expandAll(headers, 'headers')
    const target = URL.parse(this.#expand(url, 'url'))
    if (!target || !/^https?:$/.test(target.protocol)) throw this.#fault('has a url that is not one of http or https')
    for (const [name, value] of Object.entries(expanded)) {
      if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name) || /[^\t\x20-\x7e\x80-\xff]/.test(value))
        throw this.#fault(`has a header (${JSON.stringify(name)}) that HTTP does not allow`)
    }
    return { kind: type === 'sse' ? 'sse' : 'http', url: target.href, headers: expanded }
  }

  #expandAll(texts: { readonly [name: string]: string }, where: string): Record<string, string> {
    const expand = ([name, text]: [string, string]) => [name, this.#expand(text, `${where}/${name}`)]
    return Object.fromEntries(Object.entries(texts).map(expand))
  }

  /** Single pass: values of variables are not expanded again. */
  #expand(text: string, where: string): string {
    return text.replace(/\$\{([^{}]*)\}/g, (whole, inside: string) => {
      const [, name, fallback] = /^(?:env:)?([A-Za-z_][A-Za-z0-9_]*)(?::-(.*))?$/s.exec(inside) ?? []
      if (name === undefined) {
        if (/^[A-Za-z]+:/.test(inside))
          throw this.#fault(`has ${showForm(inside)} in ${where}, which is not known here`)
        return whole
      }
      const { environment } = this.#context
      const value = Object.hasOwn(environment, name) ? environment[name] : undefined
      if (value === undefined && fallback === undefined)
        throw this.#fault(`needs the environment variable ${name} (in ${where}), which is not set`)
      return value || (fallback ?? '')
    })
  }

  #fault(what: string): AddressFault {
    const name = JSON.stringify(this.#server)
    return new AddressFault(`The MCP server ${name} ${what}. Correct it in the config, or set what is missing.`)
  }
}

/** Placeholders of other clients, such as `${input:token}`. */
function showForm(inside: string): string {
  return `\${${inside.slice(0, inside.indexOf(':'))}:…}`
}
