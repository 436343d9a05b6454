import { spawn } from 'node:child_process'
import { appendFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import { parseArgs } from 'node:util'

/*
 * A fake mlx_lm.server: reports healthy before a model is loaded, and even if loading fails; on a port in use it keeps
 * running without listening. The first word of the model name selects the failure.
 */

const { values } = parseArgs({
  options: { model: { type: 'string' }, host: { type: 'string' }, port: { type: 'string' } },
})
const { model = '', host, port } = values
const trap = /^[a-z-]*/.exec(model)![0]

if (process.env.MODEL_SERVER_PIDS) appendFileSync(process.env.MODEL_SERVER_PIDS, `${process.pid}\n`)
console.log(JSON.stringify(process.argv.slice(2)))

if (trap === 'missing') {
  console.error(`OSError: Repository Not Found for url: https://models.example/${model}`)
  process.exit(1)
}
if (trap === 'crashing') {
  console.error('ImportError: libmlx.so: No such file or directory')
  process.exit(3)
}

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    console.log(`got ${signal}`)
    if (!trap.startsWith('deaf')) process.exit(0)
  })

// A child of the server, in its process group.
if (trap === 'parent') {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 60_000)'], { stdio: 'ignore' })
  appendFileSync(process.env.MODEL_SERVER_PIDS!, `${child.pid}\n`)
}

let questions = 0
const server = createServer((request, response) => {
  request.resume()
  if (request.url === '/health') return send(response, 200, { status: 'ok' })
  if (request.url === '/v1/models') return send(response, 200, { data: [{ id: model }] })
  if (request.method !== 'POST' || request.url !== '/v1/chat/completions') return send(response, 404, {})
  questions++
  console.log('asked')
  answer(response)
})

function answer(response: ServerResponse) {
  switch (trap) {
    case 'dead-loader':
    case 'deaf-dead-loader':
      return
    case 'failing':
      return send(response, 500, { error: 'out of memory' })
    case 'unknown':
      return send(response, 404, { error: 'no such repository' })
    case 'refusing':
      return send(response, 401, { error: 'a key is needed' })
    case 'odd':
      return send(response, 200, { error: 'not yet' })
    case 'loading':
      return questions < 3 ? send(response, 503, { error: 'Loading model' }) : complete(response)
    case 'dropping':
      return questions < 2 ? response.destroy() : complete(response)
    case 'dying':
      return process.exit(9)
    case 'slow':
      return void setTimeout(complete, 1500, response)
    default:
      return complete(response)
  }
}

function complete(response: ServerResponse) {
  send(response, 200, { object: 'chat.completion', model, choices: [{ index: 0, message: { content: 'Hi' } }] })
}

function send(response: ServerResponse, status: number, body: object) {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

// Keeps running, with or without a port.
setInterval(() => {}, 60_000)
server.on('error', (error) => console.error(error.message))
if (trap !== 'portless') server.listen(Number(port), host, () => console.log('listening'))
