import { get } from 'node:http'
import { onTestFinished } from 'vitest'

/** Follows the stream of the console. Returns everything that it has sent so far. */
export function openEvents(url: string, cookie: string): () => string {
  let text = ''
  const request = get(`${url}/console/api/stream`, { agent: false, headers: { Cookie: cookie } }, (response) => {
    response.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
    })
  })
  request.on('error', () => {})
  onTestFinished(() => void request.destroy())
  return () => text
}
