import { writeSync } from 'node:fs'
import { openToolpact } from '../../src/app/app.ts'
import { defineTool } from '../../src/contract/define-tool.ts'
import { defineToolset } from '../../src/contract/define-toolset.ts'
import { noToken } from '../../src/surfaces/http/credentials.ts'
import { createHealth } from '../../src/surfaces/http/health.ts'
import { openHttpServer } from '../../src/surfaces/http/open-http-server.ts'
import { createRest } from '../../src/surfaces/rest/rest.ts'

/**
 * A REST server: `node test/processes/rest-kill-process.ts STATE_DIRECTORY`. Prints its address, and when its tool `write`
 * runs, which completes only for the text `end`.
 */
const say = (line: string) => writeSync(1, `${line}\n`)
const closed = { type: 'object', additionalProperties: false } as const
const write = defineTool(
  {
    name: 'write',
    description: 'Says that it runs.',
    risk: 'safe_write',
    input: { ...closed, required: ['text'], properties: { text: { type: 'string' } } },
    output: { ...closed, required: ['said'], properties: { said: { type: 'string' } } },
  },
  async ({ text }) => {
    say('running')
    if (text !== 'end') await new Promise(() => {})
    return { said: 'done' }
  },
)
const toolpact = await openToolpact({ toolsets: [defineToolset('test', [write])], stateDirectory: process.argv[2] })
const health = createHealth({ storage: toolpact.health, upstreams: () => [] })
const server = await openHttpServer({
  host: '127.0.0.1',
  port: 0,
  credentials: noToken,
  toSurfaces: () => [
    createRest(toolpact, {
      version: '1.0.0',
      asking: { always: async () => ({ answer: 'yes', by: 'a test' }), onWaiting: () => {} },
    }),
    health,
  ],
})
say(server.url)
