import { basename, sep } from 'node:path'
import { isObject, type JsonValue } from '../../contract/json.ts'
import { get } from './find-servers.ts'

export interface FillContext {
  /** The folder open in the other client; `.` for the one open when the server starts. */
  readonly workspace: string
  readonly home: string
  /** Definitions of `${input:…}`, in the format of VS Code. */
  readonly inputs: readonly JsonValue[]
  /** `$NAME` without braces is a variable too. */
  readonly hasBareVariables: boolean
  readonly environment: { readonly [name: string]: string | undefined }
}

export interface Filled {
  readonly value: JsonValue
  readonly notes: readonly string[]
  /** Steps the user must take before the server works. */
  readonly problems: readonly string[]
}

/** A value in the client's own secret store. */
const keeper = 'Its client keeps'

/** Replaces the variables of other clients by their values, or by `${NAME}` of the environment. */
export function fillIn(value: JsonValue, context: FillContext): Filled {
  const notes: string[] = []
  const problems: string[] = []
  return { value: fill(value), notes, problems }

  function fill(part: JsonValue): JsonValue {
    if (typeof part === 'string') return fillText(part)
    if (Array.isArray(part)) return part.map(fill)
    if (!isObject(part)) return part
    return Object.fromEntries(Object.entries(part).map(([key, inner]) => [key, fill(inner!)]))
  }

  function fillText(text: string): string {
    const braced = context.hasBareVariables
      ? text.replace(/\$([A-Za-z_]\w*)/g, (_, name: string) => `\${${name}}`)
      : text
    return braced
      .replace(/\$\{\{\s*(?:secrets|inputs)\.([\w.-]+)\s*\}\}/g, (_, name: string) => toVariable(name, keeper))
      .replace(/\$\{([^{}]*)\}/g, toText)
  }

  function toText(whole: string, inside: string): string {
    const { workspace, home } = context
    const [, kind, name = ''] = /^([A-Za-z]+):(?!-)(.*)$/s.exec(inside) ?? []
    if (kind === 'env') return `\${${name}}`
    if (kind === 'input') return toInput(name)
    if (kind === 'secret') return toVariable(name, keeper)
    if (kind !== undefined) problems.push(`\${${inside}} is not understood: write its value in its place.`)
    switch (inside) {
      case 'workspaceFolder':
      case 'workspaceRoot':
        return workspace
      case 'workspaceFolderBasename':
        if (workspace === '.') problems.push(`\${${inside}} differs from folder to folder: write a value in its place.`)
        return basename(workspace)
      case 'userHome':
        return home
      case 'pathSeparator':
      case '/':
        return sep
    }
    return whole
  }

  function toInput(id: string): string {
    const input = context.inputs.find((each) => get(each, 'id') === id)
    const given = get(input, 'default')
    if (typeof given !== 'string' || given === '' || get(input, 'password') === true)
      return toVariable(id, 'The editor asks for')
    notes.push(`The editor asks for ${id}: its default is used.`)
    return given
  }

  function toVariable(name: string, who: string): string {
    const variable = /^[A-Za-z_]\w*$/.test(name) && who === keeper ? name : name.replace(/[^A-Za-z0-9]+/g, '_').toUpperCase().replace(/^(?=\d)/, '_') // biome-ignore format: one line
    const advice = `${who} ${name}: put it into the environment variable ${variable}.`
    if (context.environment[variable]) notes.push(advice)
    else problems.push(advice)
    return `\${${variable}}`
  }
}
