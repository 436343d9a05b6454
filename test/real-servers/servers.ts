import type { JsonObject } from '../../src/contract/json.ts'

/** A server from the npm registry that starts without credentials and without the network. */
export interface RealServer {
  /** Its name in the config. */
  readonly name: string
  readonly package: string
  readonly version: string
  /** `{folder}` stands for a folder with a note and a drawing. */
  readonly args?: readonly string[]
  readonly env?: { readonly [name: string]: string }
  /** Asked for first. Default: 2025-11-25. */
  readonly protocol?: '2026-07-28'
  /** A call that changes nothing and needs neither the network nor a browser, and some words of its answer. */
  readonly call?: { readonly tool: string; readonly input: JsonObject; readonly says: string }
}

/** What these packages need themselves is taken as it was on this day, so that the same is tested every time. */
export const installedAsOf = '2026-11-15'

export const realServers: readonly RealServer[] = [
  {
    name: 'filesystem',
    package: '@modelcontextprotocol/server-filesystem',
    version: '2026.8.31',
    args: ['{folder}'],
    call: { tool: 'read_text_file', input: { path: '{folder}/note.md' }, says: 'A small note' },
  },
  {
    name: 'everything',
    package: '@modelcontextprotocol/server-everything',
    version: '2026.8.31',
    call: { tool: 'get-structured-content', input: { location: 'New York' }, says: 'temperature' },
  },
  {
    name: 'memory',
    package: '@modelcontextprotocol/server-memory',
    version: '2026.8.31',
    env: { MEMORY_FILE_PATH: '{folder}/memory.jsonl' },
    call: { tool: 'read_graph', input: {}, says: 'entities' },
  },
  {
    name: 'thinking',
    package: '@modelcontextprotocol/server-sequential-thinking',
    version: '2026.8.31',
    env: { DISABLE_THOUGHT_LOGGING: 'true' },
    call: {
      tool: 'sequentialthinking',
      input: { thought: 'A thought', nextThoughtNeeded: false, thoughtNumber: 1, totalThoughts: 1 },
      says: 'thoughtHistoryLength',
    },
  },
  { name: 'playwright', package: '@playwright/mcp', version: '0.0.83', args: ['--headless', '--isolated'] },
  { name: 'context7', package: '@upstash/context7-mcp', version: '4.1.1', protocol: '2026-07-28' },
  {
    name: 'vault',
    package: '@bitbonsai/mcpvault',
    version: '0.16.0',
    args: ['{folder}'],
    protocol: '2026-07-28',
    call: { tool: 'read_note', input: { path: 'note.md' }, says: 'A small note' },
  },
  { name: 'searxng', package: 'mcp-searxng', version: '2.4.0', protocol: '2026-07-28' },
  {
    name: 'graph',
    package: '@itseasy21/mcp-knowledge-graph',
    version: '1.0.7',
    env: { MEMORY_FILE_PATH: '{folder}/graph.jsonl' },
    call: { tool: 'read_graph', input: {}, says: 'entities' },
  },
  {
    name: 'drawio',
    package: '@drawio/mcp',
    version: '1.6.1',
    call: { tool: 'list_pages', input: { path: '{folder}/drawing.xml' }, says: 'A small page' },
  },
  { name: 'eslint', package: '@eslint/mcp', version: '0.3.13' },
  {
    name: 'debug',
    package: '@modelcontextprotocol/server-debug',
    version: '2.0.3',
    args: ['--stdio'],
    call: { tool: 'debug-refresh', input: {}, says: 'counter' },
  },
  {
    name: 'threejs',
    package: '@modelcontextprotocol/server-threejs',
    version: '2.0.3',
    args: ['--stdio'],
    call: { tool: 'learn_threejs', input: {}, says: 'scene' },
  },
  { name: 'aria', package: '@react-aria/mcp', version: '1.2.1' },
  { name: 'flowbite', package: 'flowbite-mcp', version: '1.1.5' },
  { name: 'shadcn', package: '@jpisnice/shadcn-ui-mcp-server', version: '2.0.0' },
]
