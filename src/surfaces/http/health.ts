import type { HttpSurface } from './route.ts'

/** Says that the server answers, and nothing about what it serves. */
export const health: HttpSurface = {
  async handle(_request, response) {
    const body = '{"status":"ok"}'
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': body.length, 'Cache-Control': 'no-store' }) // biome-ignore format: one line
    response.end(body)
  },
}
