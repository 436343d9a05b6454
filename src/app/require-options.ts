import { nearest } from '../contract/text/nearest.ts'
import { ToolpactError } from '../contract/toolpact-error.ts'
import type { ToolpactOptions } from './toolpact.ts'

/** Rejects what a type checker would reject: an unknown option would silently have no effect. */
export function requireOptions(options: ToolpactOptions): void {
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    throw invalid('openToolpact takes an object of options, such as { toolsets: [myToolset] }.')
  }
  for (const [name, value] of Object.entries(options)) {
    const expected = Object.hasOwn(kinds, name) ? kinds[name as keyof ToolpactOptions] : undefined
    if (expected === undefined) {
      const close = nearest(name, Object.keys(kinds))
      throw invalid(
        `openToolpact has no option '${name}'. ${close ? `Did you mean ${close}?` : `Options are ${Object.keys(kinds).join(', ')}.`}`,
      )
    }
    if (value !== undefined && !expected.isValid(value)) throw invalid(`The option ${name} must be ${expected.is}.`)
  }
  for (const toolset of options.toolsets ?? []) {
    if (typeof toolset === 'string' || Array.isArray(toolset?.tools)) continue
    throw invalid(
      'The option toolsets contains something that is not a toolset: use the name of one, or create one with defineToolset.',
    )
  }
}

interface Kind {
  readonly is: string
  readonly isValid: (value: unknown) => boolean
}

const text: Kind = { is: 'a string', isValid: (value) => typeof value === 'string' }
const flag: Kind = { is: 'true or false', isValid: (value) => typeof value === 'boolean' }
const callback: Kind = { is: 'a function', isValid: (value) => typeof value === 'function' }
const list: Kind = { is: 'an array', isValid: Array.isArray }
const object: Kind = { is: 'an object', isValid: (value) => typeof value === 'object' && value !== null }
const oneOf = (...choices: string[]): Kind => ({
  is: `one of ${choices.join(', ')}`,
  isValid: (value) => choices.includes(value as string),
})
const either = (...kinds: Kind[]): Kind => ({
  is: kinds.map(({ is }) => is).join(', or '),
  isValid: (value) => kinds.some(({ isValid }) => isValid(value)),
})

const kinds: { readonly [Name in keyof Required<ToolpactOptions>]: Kind } = {
  workspace: text,
  toolsets: list,
  offer: oneOf('all', 'chosen'),
  contracts: list,
  // Its content is validated when the config is opened.
  config: { is: 'a path or the content of a config', isValid: () => true },
  tenant: text,
  discover: flag,
  storage: either(oneOf('sqlite', 'memory'), object),
  stateDirectory: text,
  access: oneOf('read', 'write'),
  seal: oneOf('open', 'due'),
  onStorage: callback,
  start: oneOf('eager', 'held', 'lazy', 'never'),
  watch: callback,
  settings: {
    is: 'an object with an object of settings for each toolset',
    isValid: (value) => object.isValid(value) && Object.values(value as object).every(object.isValid),
  },
  repeatable: flag,
  dataFlow: oneOf('session', 'caller'),
  sharesCallers: flag,
  policy: object,
  approver: callback,
  person: text,
  onViolation: callback,
  observe: callback,
  telemetry: object,
}

function invalid(message: string): ToolpactError {
  return new ToolpactError('invalid_option', message)
}
