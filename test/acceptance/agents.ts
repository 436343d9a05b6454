import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { JsonObject } from '../../src/contract/json.ts'
import type { ModelTurn, OfferedTool } from './model-apis.ts'
import { findTurn, type Step } from './model-endpoint.ts'

/** A coding agent from the npm registry, and how it runs offline against a scripted model. */
export interface Agent {
  /** The client name for `toolpact connect`. */
  readonly name: string
  readonly package: string
  readonly version: string
  readonly program: string
  /** Its install script puts the program in place. */
  readonly installsProgram?: boolean
  /** Writes the settings that make it use the model; `toolpact connect` adds its own entry to them. */
  prepare(home: string, modelUrl: string): void
  /** Environment beside PATH and HOME. */
  toEnvironment(home: string, modelUrl: string): NodeJS.ProcessEnv
  toArguments(prompt: string, home: string): readonly string[]
  /** How the scripted model calls a tool if the client does not offer tools directly. */
  readonly toTurn?: (step: Step, tools: readonly OfferedTool[]) => ModelTurn | undefined
  /** The arguments that run a prompt of Toolpact; absent if it cannot without a terminal. */
  readonly toPromptArguments?: (name: string, home: string) => readonly string[]
  /** How a resource of Toolpact is read: by a tool that it offers its model, or named by the person; absent if it cannot be. */
  readonly reading?: { readonly step: (uri: string) => Step } | { readonly mention: (uri: string) => string }
  /** Whether a picture from a tool reaches the model as a picture; some clients show it as text to models of this kind. */
  readonly showsPictures: boolean
}

export const agents: readonly Agent[] = [
  {
    name: 'codex',
    package: '@openai/codex',
    version: '0.166.0',
    program: 'codex',
    prepare(home, modelUrl) {
      const lines = [
        'model = "scripted"',
        'model_provider = "local"',
        'check_for_update_on_startup = false',
        '# The provider of this test',
        '[analytics]',
        'enabled = false',
        '[model_providers.local]',
        'name = "local"',
        `base_url = "${modelUrl}/v1"`,
        'wire_api = "responses"',
        'env_key = "LOCAL_KEY"',
      ]
      write(join(home, '.codex/config.toml'), `${lines.join('\n')}\n`)
    },
    toEnvironment: (home) => ({ CODEX_HOME: join(home, '.codex'), LOCAL_KEY: 'x' }),
    toArguments: (prompt) => [
      ...['exec', '--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox'],
      prompt,
    ],
    reading: { step: (uri) => ({ call: 'read_mcp_resource', input: { server: 'toolpact', uri } }) },
    showsPictures: true,
  },
  {
    name: 'gemini',
    package: '@google/gemini-cli',
    version: '0.61.0',
    program: 'gemini',
    prepare: (home) => writeJson(join(home, '.gemini/settings.json'), toGeminiSettings('gemini-api-key')),
    toEnvironment: (_, modelUrl) => ({
      GEMINI_API_KEY: 'x',
      GOOGLE_GEMINI_BASE_URL: modelUrl,
      GEMINI_CLI_TRUST_WORKSPACE: 'true',
      NO_BROWSER: '1',
    }),
    toArguments: (prompt) => ['-m', 'gemini-2.5-pro', '--yolo', '-p', prompt],
    toPromptArguments: (name) => ['-m', 'gemini-2.5-pro', '--yolo', '-p', `/${name}`],
    reading: { step: (uri) => ({ call: 'read_mcp_resource', input: { uri } }) },
    showsPictures: true,
  },
  {
    name: 'opencode',
    package: 'opencode-ai',
    version: '1.18.33',
    program: 'opencode',
    installsProgram: true,
    prepare(home, modelUrl) {
      const scripted = {
        name: 'scripted',
        tool_call: true,
        attachment: true,
        modalities: { input: ['text', 'image'], output: ['text'] },
        limit: { context: 200_000, output: 8000 },
      }
      const local = {
        npm: '@ai-sdk/openai-compatible',
        name: 'local',
        options: { baseURL: `${modelUrl}/v1`, apiKey: 'x' },
        models: { scripted },
      }
      writeJson(join(home, '.config/opencode/opencode.json'), {
        ...{ autoupdate: false, share: 'disabled', model: 'local/scripted', small_model: 'local/scripted' },
        enabled_providers: ['local'],
        provider: { local },
        permission: { '*': 'allow' },
      })
    },
    toEnvironment: (home) => ({
      XDG_CONFIG_HOME: join(home, '.config'),
      OPENCODE_DISABLE_AUTOUPDATE: '1',
      OPENCODE_DISABLE_MODELS_FETCH: '1',
      OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
      OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
    }),
    toArguments: (prompt) => ['run', prompt],
    toPromptArguments: (name) => ['run', '--command', `toolpact:${name}`],
    reading: { step: (uri) => ({ call: 'read_mcp_resource', input: { server: 'toolpact', uri } }) },
    showsPictures: true,
  },
  {
    name: 'qwen',
    package: '@qwen-code/qwen-code',
    version: '0.24.4',
    program: 'qwen',
    prepare: (home) => writeJson(join(home, '.qwen/settings.json'), toGeminiSettings('openai')),
    toEnvironment: (_, modelUrl) => ({
      OPENAI_API_KEY: 'x',
      OPENAI_BASE_URL: `${modelUrl}/v1`,
      OPENAI_MODEL: 'scripted',
    }),
    toArguments: (prompt) => ['--yolo', '-p', prompt],
    // The tools of MCP servers are found with tool_search and called by name.
    toTurn(step, tools) {
      const caller = tools.find(({ name }) => name === 'tool_call')
      if ('say' in step || !caller) return findTurn(step, tools)
      return { tool: caller, input: { name: `mcp__toolpact__${step.call}`, arguments: step.input } }
    },
    toPromptArguments: (name) => ['--yolo', '-p', `/${name}`],
    reading: { mention: (uri) => `@toolpact:${uri}` },
    showsPictures: false,
  },
  {
    name: 'claude-code',
    package: '@anthropic-ai/claude-code',
    version: '2.1.325',
    program: 'claude',
    installsProgram: true,
    prepare() {},
    toEnvironment: (home, modelUrl) => ({
      ANTHROPIC_BASE_URL: modelUrl,
      ANTHROPIC_API_KEY: 'sk-ant-dummy',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
      CLAUDE_CONFIG_DIR: join(home, '.claude'),
      ENABLE_TOOL_SEARCH: 'false',
    }),
    // It waits for servers only if their file is named: those of its own config may come after the first request.
    toArguments: toClaudeArguments,
    toPromptArguments: (name, home) => toClaudeArguments(`/mcp__toolpact__${name}`, home),
    reading: { step: (uri) => ({ call: 'ReadMcpResourceTool', input: { server: 'toolpact', uri } }) },
    showsPictures: true,
  },
  {
    name: 'copilot',
    package: '@github/copilot',
    version: '1.0.102',
    program: 'copilot',
    prepare() {},
    toEnvironment: (home, modelUrl) => ({
      COPILOT_HOME: join(home, '.copilot'),
      COPILOT_OFFLINE: 'true',
      COPILOT_AUTO_UPDATE: 'false',
      COPILOT_PROVIDER_TYPE: 'openai',
      COPILOT_PROVIDER_BASE_URL: `${modelUrl}/v1`,
      COPILOT_PROVIDER_API_KEY: 'x',
      COPILOT_MODEL: 'scripted',
    }),
    toArguments: (prompt) => ['-p', prompt, '--allow-all-tools', '--no-color', '--disable-builtin-mcps'],
    showsPictures: false,
  },
]

function toClaudeArguments(prompt: string, home: string): readonly string[] {
  return [
    ...['-p', prompt, '--allowedTools', 'mcp__toolpact'],
    ...['--mcp-config', join(home, '.claude/.claude.json'), '--strict-mcp-config'],
    ...['--model', 'claude-sonnet-4-5', '--output-format', 'stream-json', '--verbose'],
  ]
}

function toGeminiSettings(selectedType: string): JsonObject {
  return {
    security: { auth: { selectedType }, folderTrust: { enabled: false } },
    general: { enableAutoUpdate: false, disableAutoUpdate: true, enableAutoUpdateNotification: false },
    privacy: { usageStatisticsEnabled: false },
    telemetry: { enabled: false },
  }
}

function writeJson(path: string, value: JsonObject) {
  write(path, `${JSON.stringify(value, null, 2)}\n`)
}

function write(path: string, text: string) {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}
