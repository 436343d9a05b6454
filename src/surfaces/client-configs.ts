/** How a client is told to use these tools: text to paste, and where to. */
export interface ClientConfig {
  readonly client: string
  readonly where: string
  readonly text: string
  /** The same in fewer lines, for a terminal. */
  readonly short?: string
}

export interface ClientOptions {
  /** What the server is called there. */
  readonly name: string
  /** Such as `http://127.0.0.1:7420`. */
  readonly url: string
  /** Undefined where none is needed. */
  readonly token: string | undefined
  /** The command line that serves the same tools on stdio. */
  readonly stdio: readonly string[]
  /** A tool to try it with, and an input that it takes. */
  readonly example?: { readonly name: string; readonly input: unknown }
}

/** Configurations for the common clients, the quickest first. */
export function toClientConfigs({ name, url, token, stdio, example }: ClientOptions): readonly ClientConfig[] {
  const mcp = `${url}/mcp`
  const authorization = token === undefined ? undefined : `Bearer ${token}`
  const headers = authorization === undefined ? {} : { headers: { Authorization: authorization } }
  const header = authorization === undefined ? [] : ['--header', `Authorization: ${authorization}`]
  const [command = '', ...args] = stdio
  return [
    {
      client: 'Claude Code',
      where: 'in a terminal',
      text: toLine(['claude', 'mcp', 'add', '--transport', 'http', name, mcp, ...header]),
    },
    {
      client: 'Cursor',
      where: '~/.cursor/mcp.json',
      ...toJson({ mcpServers: { [name]: { url: mcp, ...headers } } }),
    },
    {
      client: 'VS Code',
      where: '.vscode/mcp.json',
      ...toJson({ servers: { [name]: { type: 'http', url: mcp, ...headers } } }),
    },
    {
      client: 'Codex',
      where: '~/.codex/config.toml',
      text: [
        `[mcp_servers.${name}]`,
        `url = ${toToml(mcp)}`,
        ...(authorization === undefined ? [] : [`http_headers = { Authorization = ${toToml(authorization)} }`]),
      ].join('\n'),
    },
    {
      client: 'Claude Desktop, and others that start the server themselves (stdio)',
      where: 'claude_desktop_config.json',
      ...toJson({ mcpServers: { [name]: { command, args } } }),
    },
    ...(example ? [toCurl(url, authorization, example)] : []),
  ]
}

function toCurl(url: string, authorization: string | undefined, example: NonNullable<ClientOptions['example']>) {
  const headers = [...(authorization === undefined ? [] : [`Authorization: ${authorization}`]), 'Content-Type: application/json'] // biome-ignore format: one line
  const words = [
    ...headers.flatMap((header) => ['-H', header]),
    ...['-d', JSON.stringify(example.input)],
    `${url}/v1/tools/${encodeURIComponent(example.name)}`,
  ]
  return { client: 'curl', where: 'in a terminal', text: toLine(['curl', ...words]) }
}

/** Words for a POSIX shell. */
function toLine(words: readonly string[]): string {
  return words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)).join(' ')
}

function toJson(value: unknown): Pick<ClientConfig, 'text' | 'short'> {
  return { text: JSON.stringify(value, null, 2), short: JSON.stringify(value) }
}

/** A basic string of TOML escapes as JSON does. */
function toToml(text: string): string {
  return JSON.stringify(text)
}
