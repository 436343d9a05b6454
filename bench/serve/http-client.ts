import { connect, type Socket } from 'node:net'

/** One connection that is kept, with one request at a time, and no more work than to find where an answer ends. */
export interface HttpConnection {
  send(body: string, headers?: string): Promise<string>
  close(): void
}

/** A client that costs little, as a costly one would hide what the servers cost. `headers` end with a line break each. */
export async function openHttp(url: string, headers: string): Promise<HttpConnection> {
  const { hostname, port, pathname, search } = new URL(url)
  const socket = connect(Number(port), hostname).setNoDelay(true)
  await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject))
  const head = `POST ${pathname}${search} HTTP/1.1\r\nhost: ${hostname}:${port}\r\ncontent-type: application/json\r\naccept: application/json, text/event-stream\r\n${headers}`
  return {
    send(body, more = '') {
      const answer = readAnswer(socket)
      socket.write(`${head}${more}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)
      return answer
    },
    close: () => socket.destroy(),
  }
}

function readAnswer(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    const onData = (data: Buffer) => {
      text += data.toString('latin1')
      if (!isWhole(text)) return
      stop()
      resolve(text)
    }
    const onClose = () => {
      stop()
      reject(new Error(`The server closed the connection after: ${text.slice(0, 500)}`))
    }
    const stop = () => socket.off('data', onData).off('close', onClose)
    socket.on('data', onData).on('close', onClose)
  })
}

/** `text` has one character for each byte. */
function isWhole(text: string): boolean {
  const end = text.indexOf('\r\n\r\n')
  if (end < 0) return false
  const [, length] = /\r\ncontent-length: *(\d+)/i.exec(text.slice(0, end)) ?? []
  if (length !== undefined) return text.length >= end + 4 + Number(length)
  return text.endsWith('\r\n0\r\n\r\n') || !/\r\ntransfer-encoding: *chunked/i.test(text.slice(0, end))
}
