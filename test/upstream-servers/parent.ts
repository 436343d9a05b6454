/** Connects to a server that has children, says their process ids and its own, and waits to be killed. */
import { openClient } from '../../src/host/connect/open-client.ts'
import { hostile, options } from './open-hostile.ts'

const client = await openClient(hostile('stubborn'), options())
const { signal } = new AbortController()
const { structuredContent } = (await client.callTool('grandchild', {}, { signal })) as { structuredContent: object }
console.log(JSON.stringify(structuredContent))
setInterval(() => {}, 1000)
