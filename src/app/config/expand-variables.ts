import { ConfigError } from './config-error.ts'

/** Replaces `${NAME}` by environment variables. `setting`: where the text is in the config. */
export function expandVariables(text: string, setting: string): string {
  return text.replace(/\$\{([A-Za-z_]\w*)\}/g, (_, name: string) => {
    const value = process.env[name]
    if (value === undefined)
      throw new ConfigError(`${setting} needs the environment variable ${name}, which is not set.`)
    return value
  })
}
