import type { JsonObject } from '../../src/contract/json.ts'

/** A call whose answer depends on nothing but its input, and on the folder of the servers. */
export interface RealCall {
  readonly server: string
  readonly tool: string
  readonly input: JsonObject
}

/** Reads of many kinds, and failures. `{folder}` stands for the folder with a note and a drawing. */
export const realCalls: readonly RealCall[] = [
  { server: 'filesystem', tool: 'read_text_file', input: { path: '{folder}/note.md' } },
  { server: 'filesystem', tool: 'read_text_file', input: { path: '{folder}/note.md', head: 1 } },
  { server: 'filesystem', tool: 'read_text_file', input: { path: '{folder}/missing.md' } },
  { server: 'filesystem', tool: 'read_text_file', input: { path: '/etc/hostname' } },
  { server: 'filesystem', tool: 'read_multiple_files', input: { paths: ['{folder}/note.md', '{folder}/drawing.xml'] } },
  { server: 'filesystem', tool: 'search_files', input: { path: '{folder}', pattern: '*.xml' } },
  { server: 'filesystem', tool: 'list_allowed_directories', input: {} },
  { server: 'everything', tool: 'echo', input: { message: 'Grüße, 世界 👋🏽' } },
  { server: 'everything', tool: 'get-sum', input: { a: 2, b: 40 } },
  { server: 'everything', tool: 'get-tiny-image', input: {} },
  { server: 'everything', tool: 'get-annotated-message', input: { messageType: 'error', includeImage: true } },
  { server: 'everything', tool: 'get-resource-links', input: { count: 2 } },
  { server: 'everything', tool: 'get-structured-content', input: { location: 'Chicago' } },
  { server: 'memory', tool: 'read_graph', input: {} },
  { server: 'memory', tool: 'search_nodes', input: { query: 'nothing' } },
  { server: 'memory', tool: 'open_nodes', input: { names: ['nobody'] } },
  { server: 'vault', tool: 'read_note', input: { path: 'note.md' } },
  { server: 'vault', tool: 'read_note', input: { path: 'missing.md' } },
  { server: 'vault', tool: 'search_notes', input: { query: 'small' } },
  { server: 'vault', tool: 'list_all_tags', input: {} },
  { server: 'vault', tool: 'get_note_outline', input: { path: 'note.md' } },
  { server: 'vault', tool: 'read_note_lines', input: { path: 'note.md', startLine: 1, endLine: 1 } },
  { server: 'graph', tool: 'read_graph', input: {} },
  { server: 'graph', tool: 'search_nodes', input: { query: 'nothing' } },
  { server: 'drawio', tool: 'list_pages', input: { path: '{folder}/drawing.xml' } },
  { server: 'drawio', tool: 'get_page', input: { path: '{folder}/drawing.xml', page: '0' } },
  { server: 'drawio', tool: 'get_page', input: { path: '{folder}/drawing.xml', page: '9' } },
  { server: 'drawio', tool: 'search_shapes', input: { query: 'cisco router', limit: 2 } },
  { server: 'debug', tool: 'debug-tool', input: { contentType: 'mixed' } },
  { server: 'debug', tool: 'debug-tool', input: { contentType: 'audio', includeMeta: false } },
  { server: 'threejs', tool: 'learn_threejs', input: {} },
  { server: 'searxng', tool: 'searxng_web_search', input: { query: 'without an instance' } },
  { server: 'aria', tool: 'list_react_aria_pages', input: {} },
]
