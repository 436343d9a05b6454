import { expect, test } from 'vitest'
import { toolsets } from './index.ts'

test('every built-in tool declares what its output carries and who receives data', async () => {
  const declared = Object.entries(toolsets).map(async ([toolset, load]) => {
    const { tools } = await load()
    return tools.map(({ contract: { name, effects } }) => {
      const { fetches = [], sends = [], sendsTo = [], returns } = effects
      const receivers = [...fetches, ...sends, ...sendsTo]
      return `${toolset}.${name}: returns ${returns?.join(', ') || returns}${receivers.length > 0 ? `, sends to ${receivers}` : ''}`
    })
  })
  expect((await Promise.all(declared)).flat().sort()).toEqual([
    'learning.hello: returns ',
    'learning.read_repo_file: returns private',
    'learning.resource:document: returns private',
    'learning.resource:document:complete: returns private',
    'learning.resource:document:list: returns private',
    'learning.resource:memory: returns private',
    'learning.resource:memory:complete: returns private',
    'learning.resource:memory:list: returns private',
    'learning.write_memory_entry: returns ',
    'mlxctl.mlx.load: returns , sends to operator',
    'mlxctl.mlx.unload: returns , sends to operator',
    'practitioner.hello: returns ',
    'practitioner.read_repo_file: returns private',
    'practitioner.write_memory_entry: returns ',
    'transcript-clean.transcript.clean: returns , sends to operator',
    'web-fetch.search.web: returns untrusted, sends to operator',
    'web-fetch.web.fetch: returns untrusted, sends to url',
    'workspace.create_directory: returns ',
    'workspace.create_file: returns ',
    'workspace.fetch_webpage: returns untrusted, sends to url',
    'workspace.file_search: returns private',
    'workspace.grep_search: returns private',
    'workspace.list_dir: returns private',
    'workspace.read_file: returns private',
    'workspace.replace_string_in_file: returns ',
    'workspace.resource:file: returns private',
    'workspace.resource:file:complete: returns private',
    'workspace.run_in_terminal: returns private, untrusted',
    'workspace.terminal_last_command: returns private, untrusted',
  ])
})
