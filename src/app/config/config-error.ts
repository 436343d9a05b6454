import { ToolpactError } from '../../contract/toolpact-error.ts'

/** A config, or a name in the options, is invalid or cannot be read. The message contains the location and what to do. */
export class ConfigError extends ToolpactError {
  override readonly name = 'ConfigError'
  /** The fault without the path of the config, for messages about a single entry. */
  readonly fault: string

  constructor(message: string, { fault = message, ...options }: ErrorOptions & { fault?: string } = {}) {
    super('invalid_config', message, options)
    this.fault = fault
  }
}

/** What to do about a config that was discovered, not named. */
export const goOnWithout = 'Fix it, or continue without it: --no-config.'

/** What to do if the name of a contract folder is taken or invalid. */
export const renameFolder = 'Rename the folder, or set { "name": "…" } in its toolset.json.'
