import {
  type Client,
  joinOn,
  type Places,
  toCommand,
  toConfigHome,
  toExtensionFiles,
  toHeaders,
  toSettingsFolder,
} from './client.ts'

/** Call timeout in seconds: waiting for approval or a slow server takes longer than a client's default. */
const patience = 600

/** Clients that run in a terminal. */
export const agents: readonly Client[] = [
  {
    id: 'claude-code',
    aliases: ['claude'],
    title: 'Claude Code',
    format: 'json',
    files: (places) => [
      { about: 'Claude Code, this folder', path: joinOn(places, places.workspace, '.mcp.json'), scope: 'project', key: ['mcpServers'] }, // biome-ignore format: one line
      { about: 'Claude Code', path: joinOn(places, places.environment.CLAUDE_CONFIG_DIR || places.home, '.claude.json'), scope: 'user', key: ['mcpServers'] }, // biome-ignore format: one line
      // These contain no servers, only which ones are disabled.
      ...['settings.local.json', 'settings.json'].map((name) => ({ about: 'Claude Code, settings of this folder', path: joinOn(places, places.workspace, '.claude', name), scope: 'project' as const })), // biome-ignore format: one line
      { about: 'Claude Code, settings', path: joinOn(places, places.environment.CLAUDE_CONFIG_DIR || joinOn(places, places.home, '.claude'), 'settings.json'), scope: 'user' }, // biome-ignore format: one line
    ],
    toStdio: (server) => ({ type: 'stdio', ...toCommand(server) }),
    toHttp: (server) => ({ type: 'http', url: server.url, ...toHeaders(server) }),
    toReference: (variable) => `\${${variable}}`,
    toCommand: (name, { url, authorization }) => [
      ...['claude', 'mcp', 'add', '--transport', 'http', name, url],
      ...(authorization === undefined ? [] : ['--header', `Authorization: ${authorization}`]),
    ],
  },
  {
    id: 'codex',
    title: 'Codex',
    format: 'toml',
    files: (places) => [
      { about: 'Codex, this folder', path: joinOn(places, places.workspace, '.codex', 'config.toml'), scope: 'project', key: ['mcp_servers'] }, // biome-ignore format: one line
      { about: 'Codex', path: joinOn(places, places.environment.CODEX_HOME || joinOn(places, places.home, '.codex'), 'config.toml'), scope: 'user', key: ['mcp_servers'] }, // biome-ignore format: one line
    ],
    // Codex gives a server one second before the first request; `required` makes it wait.
    toStdio: ({ passed, ...server }) => ({
      ...toCommand({ ...server, env: {}, passed }),
      env_vars: [...passed],
      required: true,
      tool_timeout_sec: patience,
    }),
    toHttp: ({ url, authorization, tokenVariable }) => ({
      url,
      ...(tokenVariable !== undefined && { bearer_token_env_var: tokenVariable }),
      ...(tokenVariable === undefined && authorization !== undefined && { http_headers: { Authorization: authorization } }),
      required: true,
      tool_timeout_sec: patience,
    }), // biome-ignore format: one line
    toReference: (variable) => variable,
    ownApproval: {
      entry: { default_tools_approval_mode: 'approve' },
      about:
        'Codex asks before each tool that may change something, and codex exec refuses such tools without asking. With default_tools_approval_mode = "approve" it leaves the question to Toolpact, which still asks before every call whose contract says so.',
    },
    toNotes: ({ scope, transport }) => [
      ...(transport === 'stdio'
        ? [
            'Codex passes only HOME, LANG, PATH, TERM and TMPDIR to a server. env_vars lists the other variables that Toolpact and its servers read: connect again after adding a server that reads more.',
          ]
        : []),
      ...(scope === 'project' ? ['Codex reads .codex/config.toml only in projects that it trusts.'] : []),
    ],
  },
  toGeminiLike({ id: 'gemini', title: 'Gemini CLI', folder: '.gemini', homeVariable: 'GEMINI_CLI_HOME' }),
  toGeminiLike({ id: 'qwen', title: 'Qwen Code', folder: '.qwen' }),
  {
    id: 'opencode',
    title: 'opencode',
    format: 'json',
    files: (places) => {
      const folder = joinOn(places, toConfigHome(places), 'opencode')
      const { OPENCODE_CONFIG } = places.environment
      const key = ['mcp']
      return [
        ...['opencode.json', 'opencode.jsonc'].map((name) => ({ about: 'opencode, this folder', path: joinOn(places, places.workspace, name), scope: 'project' as const, key })), // biome-ignore format: one line
        ...(OPENCODE_CONFIG ? [{ about: 'opencode', path: OPENCODE_CONFIG, scope: 'user' as const, key }] : []),
        ...['opencode.json', 'opencode.jsonc'].map((name) => ({ about: 'opencode', path: joinOn(places, folder, name), scope: 'user' as const, key })), // biome-ignore format: one line
      ]
    },
    toStdio: ({ command, args, env }) => ({
      type: 'local',
      command: [command, ...args],
      ...(Object.keys(env).length > 0 && { environment: { ...env } }),
      enabled: true,
      timeout: patience * 200,
    }),
    // Without `oauth: false`, it looks for an authorization server before it sends the header.
    toHttp: (server) => ({
      type: 'remote',
      url: server.url,
      ...toHeaders(server),
      oauth: false,
      enabled: true,
      timeout: patience * 200,
    }),
    toReference: (variable) => `{env:${variable}}`,
  },
  {
    id: 'copilot',
    title: 'GitHub Copilot CLI',
    format: 'json',
    files: (places) => [
      { about: 'Copilot', path: joinOn(places, places.environment.COPILOT_HOME || joinOn(places, places.home, '.copilot'), 'mcp-config.json'), scope: 'user', key: ['mcpServers'] }, // biome-ignore format: one line
    ],
    toStdio: (server) => ({ type: 'local', ...toCommand(server), tools: ['*'] }),
    toHttp: (server) => ({ type: 'http', url: server.url, ...toHeaders(server), tools: ['*'] }),
  },
  {
    id: 'goose',
    title: 'Goose',
    format: 'yaml',
    files: (places) => [{ about: 'Goose', path: joinOn(places, toGooseFolder(places), 'config.yaml'), scope: 'user', key: ['extensions'] }], // biome-ignore format: one line
    toStdio: ({ command, args, env }) => ({
      ...{ enabled: true, type: 'stdio', name: 'toolpact', description: 'Tools with contracts' },
      ...{ cmd: command, args: [...args], envs: { ...env }, env_keys: [], timeout: patience },
    }),
    toHttp: (server) => ({
      ...{ enabled: true, type: 'streamable_http', name: 'toolpact', description: 'Tools with contracts' },
      ...{ uri: server.url, ...toHeaders(server), envs: {}, env_keys: [], timeout: patience },
    }),
  },
  {
    id: 'continue',
    aliases: ['cn'],
    title: 'Continue',
    format: 'yaml',
    isList: true,
    files: (places) => {
      const own = places.environment.CONTINUE_GLOBAL_DIR || joinOn(places, places.home, '.continue')
      return [
        { about: 'Continue, this folder', path: joinOn(places, places.workspace, '.continue', 'mcpServers', 'toolpact.yaml'), scope: 'project', key: ['mcpServers'] }, // biome-ignore format: one line
        { about: 'Continue, this folder', path: joinOn(places, places.workspace, '.continue', 'mcpServers'), scope: 'project', isFolder: true }, // biome-ignore format: one line
        { about: 'Continue', path: joinOn(places, own, 'config.yaml'), scope: 'user', key: ['mcpServers'] },
        { about: 'Continue', path: joinOn(places, own, 'mcpServers'), scope: 'user', isFolder: true },
      ]
    },
    newFile: { name: 'Local Config', version: '0.0.1', schema: 'v1' },
    toStdio: toCommand,
    toHttp: (server) => ({
      type: 'streamable-http',
      url: server.url,
      ...(server.authorization !== undefined && { requestOptions: { ...toHeaders(server) } }),
    }),
  },
  {
    id: 'cline',
    title: 'Cline',
    format: 'json',
    files: (places) => [
      { about: 'Cline', path: joinOn(places, places.home, '.cline', 'data', 'settings', 'cline_mcp_settings.json'), scope: 'user', key: ['mcpServers'] }, // biome-ignore format: one line
      ...toExtensionFiles(places, 'Cline', ['saoudrizwan.claude-dev', 'settings', 'cline_mcp_settings.json']),
    ],
    toStdio: (server) => ({ type: 'stdio', ...toCommand(server), timeout: patience }),
    toHttp: (server) => ({ type: 'streamableHttp', url: server.url, ...toHeaders(server), timeout: patience }),
  },
]

interface GeminiLike {
  readonly id: string
  readonly title: string
  readonly folder: string
  /** The environment variable that overrides the home directory. */
  readonly homeVariable?: string
}

/** Qwen Code is a fork of the Gemini CLI with the same settings. */
function toGeminiLike({ id, title, folder, homeVariable }: GeminiLike): Client {
  return {
    id,
    title,
    format: 'json',
    files: (places) => {
      const home = (homeVariable && places.environment[homeVariable]) || places.home
      return [
        { about: `${title}, this folder`, path: joinOn(places, places.workspace, folder, 'settings.json'), scope: 'project', key: ['mcpServers'] }, // biome-ignore format: one line
        { about: title, path: joinOn(places, home, folder, 'settings.json'), scope: 'user', key: ['mcpServers'] },
      ]
    },
    toStdio: toCommand,
    toHttp: (server) => ({ httpUrl: server.url, ...toHeaders(server) }),
    toReference: (variable) => `$${variable}`,
    hasBareVariables: true,
    ownApproval: {
      entry: { trust: true },
      about: `${title} asks before each call of an MCP tool. With "trust": true it leaves the question to Toolpact, which still asks before every call whose contract says so.`,
    },
    toNotes: () => [`${title} starts MCP servers only in folders that it trusts.`],
  }
}

function toGooseFolder(places: Places): string {
  if (places.platform === 'win32') return joinOn(places, toSettingsFolder(places), 'Block', 'goose', 'config')
  return joinOn(places, toConfigHome(places), 'goose')
}
