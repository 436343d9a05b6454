import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import { openToolpact, type ToolpactOptions } from '../../src/app/app.ts'
import type { JsonObject } from '../../src/contract/json.ts'
import { initialize, openMcpStdio } from './open-mcp.ts'
import { makeFolder } from './open-test-pipeline.ts'

export type FileTree = { readonly [path: string]: string | Uint8Array }

function writeFiles(root: string, files: FileTree): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), content)
  }
}

/** A workspace with these files, and an MCP client that reads resources and completes their variables. */
export async function openResources(files: FileTree, options: ToolpactOptions) {
  const workspace = makeFolder()
  writeFiles(workspace, files)
  const toolpact = await openToolpact({ storage: 'memory', workspace, ...options })
  onTestFinished(() => toolpact.close())
  const mcp = await openMcpStdio({ toolpact })
  mcp.send(initialize())
  await mcp.next()
  let id = 0

  // biome-ignore lint/suspicious/noExplicitAny: a test knows what it asked for
  async function ask(method: string, params: JsonObject = {}): Promise<any> {
    const own = ++id
    mcp.send({ jsonrpc: '2.0', id: own, method, params })
    for (;;) {
      const message = await mcp.next()
      if (message.id === own) return message.result ?? message.error
    }
  }
  return {
    workspace: toolpact.workspace,
    toolpact,
    ask,
    /** The content, or the code of the error. */
    async read(uri: string) {
      const { contents, data, code } = await ask('resources/read', { uri })
      return contents?.[0] ?? data?.error?.code ?? code
    },
    list: async () => ((await ask('resources/list')).resources as { uri: string }[]).map(({ uri }) => uri),
    async complete(uri: string, name: string, value: string) {
      const { completion } = await ask('completion/complete', { ref: { type: 'ref/resource', uri }, argument: { name, value } }) // biome-ignore format: one line
      return completion
    },
  }
}
