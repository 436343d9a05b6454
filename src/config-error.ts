/** A config, or a name given beside it, is wrong or cannot be read. The message says where and what to do. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}
