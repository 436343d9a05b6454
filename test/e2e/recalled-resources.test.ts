import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openClient } from '../clients/open-client.ts'
import { entries, openCommandFolder } from '../helpers/run-command.ts'

const { folder, env, close } = openCommandFolder()
afterAll(close)

test('the first list of a later run has the resources of a server that is still starting', async () => {
  const config = join(folder, 'toolpact.json')
  const desk = {
    command: '/bin/sh',
    // Tools are listed at once, since they are known from the first run.
    args: ['-c', `[ -f started ] && sleep 0.3; touch started; exec "${process.execPath}" "${entries.asking}"`],
    withoutOutputSchema: 'opaque',
    approval: 'never',
  }
  writeFileSync(config, JSON.stringify({ mcpServers: { desk }, toolsets: ['desk'] }))
  for (const _run of ['first', 'second']) {
    const client = await openClient('v1', { args: [entries.toolpact, 'serve', '--stdio', '--config', config], env, cwd: folder }) // biome-ignore format: one line
    const uris = await client.listResources()
    const templates = await client.listTemplates()
    await client.close()
    expect(uris).toContain('toolpact://desk/demo://a')
    expect(templates).toEqual(['toolpact://desk/demo://item/{id}'])
  }
})
