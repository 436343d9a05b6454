import { connect, type Socket } from 'node:net'

/** One keep-alive connection with sequential requests; parses only as much as needed to find the end of a response. */
export interface HttpConnection {
  send(body: string, headers?: string): Promise<string>
  close(): void
}

/** A minimal client, so that client overhead does not hide server cost. Each header ends with a line break. */
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

/** `text` is Latin-1: one character per byte. */
function isWhole(text: string): boolean {
  const end = text.indexOf('\r\n\r\n')
  if (end < 0) return false
  const [, length] = /\r\ncontent-length: *(\d+)/i.exec(text.slice(0, end)) ?? []
  if (length !== undefined) return text.length >= end + 4 + Number(length)
  return text.endsWith('\r\n0\r\n\r\n') || !/\r\ntransfer-encoding: *chunked/i.test(text.slice(0, end))
}
