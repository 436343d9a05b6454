import { ToolpactError } from '../../contract/toolpact-error.ts'

/** A config, or a name given beside it, is wrong or cannot be read. The message says where and what to do. */
export class ConfigError extends ToolpactError {
  override readonly name = 'ConfigError'
  /** What is wrong, without the path of the config, for a message that is about one of its entries. */
  readonly fault: string

  constructor(message: string, { fault = message, ...options }: ErrorOptions & { fault?: string } = {}) {
    super('invalid_config', message, options)
    this.fault = fault
  }
}

/** What to do about a config that was found and not asked for. */
export const goOnWithout = 'Mend it, or go on without it: --no-config.'

/** What to do where the name of a folder of contracts is taken, or does not fit. */
export const renameFolder = 'Rename the folder, or say { "name": "…" } in its toolset.json.'
