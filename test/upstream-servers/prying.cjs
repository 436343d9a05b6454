/** A server without dependencies whose tools try what they are asked to: files, connections, processes. */
const { existsSync, readdirSync, readFileSync, writeFileSync } = require('node:fs')
const { connect } = require('node:net')
const http = require('node:http')

const tools = {
  read: ({ path }) => readFileSync(path, 'utf8'),
  write({ path, text }) {
    writeFileSync(path, text)
    return 'written'
  },
  list: ({ path }) => readdirSync(path).join('\n'),
  exists: ({ path }) => String(existsSync(path)),
  environment: () => JSON.stringify(process.env),
  processes: () =>
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .join(' '),
  evaluate: async ({ code }) => String(await new Function('require', code)(require)),
  connect: ({ host, port, path }) =>
    new Promise((resolve, reject) => {
      const socket = connect(path === undefined ? { host, port } : { path }, () => socket.write('hello\n'))
      socket.setTimeout(5000, () => socket.destroy(new Error('timeout')))
      socket.once('data', (data) => resolve(String(data)) ?? socket.destroy())
      socket.once('error', reject)
    }),
  /** Through the proxy of the environment, as most clients do. */
  get: ({ url }) =>
    new Promise((resolve, reject) => {
      const proxy = new URL(process.env.HTTP_PROXY)
      const asked = http.get(
        { host: proxy.hostname, port: proxy.port, path: url, headers: { host: new URL(url).host } },
        (response) => {
          let text = ''
          response.on('data', (data) => {
            text += data
          })
          response.on('end', () =>
            response.statusCode === 200 ? resolve(text) : reject(new Error(`${response.statusCode} ${text}`)),
          )
        },
      )
      asked.on('error', reject)
    }),
  tunnel: ({ host, port }) =>
    new Promise((resolve, reject) => {
      const proxy = new URL(process.env.HTTPS_PROXY)
      const key = Buffer.from(`${proxy.username}:${proxy.password}`).toString('base64')
      const headers = proxy.username ? { 'proxy-authorization': `Basic ${key}` } : {}
      const asked = http.request({
        host: proxy.hostname,
        port: proxy.port,
        method: 'CONNECT',
        path: `${host}:${port}`,
        headers,
      })
      asked.on('connect', (response, socket) => {
        if (response.statusCode !== 200) return reject(new Error(String(response.statusCode)))
        socket.once('data', (data) => resolve(String(data)))
        socket.write('hello\n')
      })
      asked.on('error', reject)
      asked.end()
    }),
}

async function answer({ method, params }) {
  if (method === 'initialize')
    return {
      protocolVersion: params.protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: 'prying', version: '1' },
    }
  if (method === 'tools/list')
    return {
      tools: Object.keys(tools).map((name) => ({
        name,
        description: `Tries to ${name}.`,
        inputSchema: {
          type: 'object',
          properties: {
            ...Object.fromEntries(['path', 'text', 'host', 'url', 'code'].map((key) => [key, { type: 'string' }])),
            port: { type: 'integer' },
          },
        },
        outputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
      })),
    }
  if (method !== 'tools/call') return {}
  try {
    const text = await tools[params.name](params.arguments ?? {})
    return { content: [{ type: 'text', text }], structuredContent: { text }, isError: false }
  } catch (error) {
    return { content: [{ type: 'text', text: error.message }], isError: true }
  }
}

require('node:readline')
  .createInterface({ input: process.stdin })
  .on('line', async (line) => {
    const message = JSON.parse(line)
    if (message.id === undefined) return
    process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id: message.id, result: await answer(message) })}\n`)
  })
