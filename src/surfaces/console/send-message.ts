import type { ServerResponse } from 'node:http'
import { toDocument } from './assets.ts'
import { consoleHeaders } from './headers.ts'

/** Shows a page with one message. `html`: text from elsewhere in it is escaped. */
export function sendMessage(
  response: ServerResponse,
  status: number,
  html: string,
  more: { readonly [name: string]: string } = {},
): void {
  const page = toDocument('', `<main><h1>Toolpact</h1><p>${html}</p></main>`)
  response.writeHead(status, {
    ...consoleHeaders,
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Length': Buffer.byteLength(page),
    'Cache-Control': 'no-store',
    ...more,
  })
  response.end(page)
}
