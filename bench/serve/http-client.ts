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
    /** Of the whole answer, if its head says so. Looking through all of a long answer for each chunk would take most of the time. */
    let length: number | undefined
    const onData = (data: Buffer) => {
      text += data.toString('latin1')
      length ??= findLength(text)
      if (length === undefined ? !isWhole(text) : text.length < length) return
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
function findLength(text: string): number | undefined {
  const end = text.indexOf('\r\n\r\n')
  const [, length] = (end >= 0 && /\r\ncontent-length: *(\d+)/i.exec(text.slice(0, end))) || []
  return length === undefined ? undefined : end + 4 + Number(length)
}

/** Without a length. */
function isWhole(text: string): boolean {
  const end = text.indexOf('\r\n\r\n')
  if (end < 0) return false
  return text.endsWith('\r\n0\r\n\r\n') || !/\r\ntransfer-encoding: *chunked/i.test(text.slice(0, end))
}
