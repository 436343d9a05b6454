import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import { toPackageUrl } from '../../contract/package-version.ts'

/** The bundled page, as files that can be sent. */
export interface Assets {
  /** The HTML document of every page. Undefined if the page was not built. */
  page(): Asset | undefined
  /** A file of `assets/`. */
  find(name: string): Asset | undefined
}

export interface Asset {
  readonly body: Buffer
  readonly gzip: Buffer
  readonly type: string
  readonly etag: string
}

/** Loads `dist/console` once, and again if it was built anew. */
export function createAssets(folder: URL = toPackageUrl('dist/console/')): Assets {
  let builtAt: number | undefined
  let page: Asset | undefined
  let files = new Map<string, Asset>()

  function load() {
    const manifest = new URL('manifest.json', folder)
    const changedAt = statSync(manifest, { throwIfNoEntry: false })?.mtimeMs
    if (changedAt === builtAt) return
    builtAt = changedAt
    page = undefined
    files = new Map()
    if (changedAt === undefined) return
    const { script, imports, style } = JSON.parse(readFileSync(manifest, 'utf8')) as Manifest
    const assets = new URL('assets/', folder)
    for (const name of readdirSync(assets)) {
      const type = types[name.slice(name.lastIndexOf('.'))]
      if (type !== undefined) files.set(name, toAsset(readFileSync(new URL(name, assets)), type))
    }
    page = toAsset(
      Buffer.from(toHtml({ script: toLink(script), imports: imports.map(toLink), style: toLink(style) })),
      'text/html; charset=utf-8',
    )
  }

  function toLink(name: string): string {
    const digest = createHash('sha384').update(files.get(name)!.body).digest('base64')
    return `"/console/assets/${name}" integrity="sha384-${digest}"`
  }

  return {
    page() {
      load()
      return page
    },
    find(name) {
      if (!files.has(name)) load()
      return files.get(name)
    },
  }
}

const types: { readonly [extension: string]: string } = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
}

interface Manifest {
  readonly script: string
  readonly imports: readonly string[]
  readonly style: string
}

/** An import has no place for an integrity of its own: the preload checks it, and saves a round trip. */
function toHtml({ script, imports, style }: Manifest): string {
  return toDocument(
    [
      `<link rel="stylesheet" href=${style}>`,
      ...imports.map((link) => `<link rel="modulepreload" href=${link}>`),
      `<script type="module" src=${script}></script>`,
    ].join('\n'),
    '<div id="app"></div>\n<noscript>The console needs JavaScript. Without it, use <code>toolpact approvals</code> and <code>toolpact ledger</code>.</noscript>',
  )
}

/** An HTML document of ours. Takes no text from elsewhere. */
export function toDocument(head: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Toolpact</title>
<link rel="icon" href="data:,">
${head}
</head>
<body>
${body}
</body>
</html>
`
}

function toAsset(body: Buffer, type: string): Asset {
  return { body, gzip: gzipSync(body, { level: 9 }), type, etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"` } // biome-ignore format: one line
}

export function sendAsset(
  { method, headers }: IncomingMessage,
  response: ServerResponse,
  { body, gzip, type, etag }: Asset,
  more: OutgoingHttpHeaders,
): void {
  const shared = { ...more, ETag: etag, Vary: 'Accept-Encoding' }
  if (headers['if-none-match']?.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag)) {
    response.writeHead(304, shared).end()
    return
  }
  const isZipped = /\bgzip\b/.test(String(headers['accept-encoding'] ?? ''))
  const sent = isZipped ? gzip : body
  response.writeHead(200, {
    ...shared,
    'Content-Type': type,
    'Content-Length': sent.length,
    ...(isZipped && { 'Content-Encoding': 'gzip' }),
  })
  response.end(method === 'HEAD' ? undefined : sent)
}
