import { lstatSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import type { ContentBlock } from '../../contract/content/content-block.ts'
import { isObject, type JsonObject, type JsonValue } from '../../contract/json.ts'
import { type Part, paint } from '../../contract/text/painted.ts'
import { toAddress } from './address.ts'
import { toInlineImage } from './inline-image.ts'
import { looksLikeMarkdown } from './looks-like-markdown.ts'
import { toMarkdownRows, toPlainRows } from './markdown.ts'
import { toValueRows } from './value-rows.ts'

interface PrinterOptions {
  readonly print: (rows: readonly (readonly Part[])[]) => void
  /** For each row. */
  readonly width: number
  /** Writes escape sequences of our own. Default: to stdout. */
  readonly writeRaw?: (sequence: string) => void
}

export interface ContentPrinter {
  print(block: ContentBlock): void
}

const folderPrefix = 'toolpact-saved-'
const maxSavedMs = 86_400_000

/** Prints MCP content by its kind. Bytes that the terminal cannot show are saved in a private temporary folder for a day. */
export function createContentPrinter(options: PrinterOptions): ContentPrinter {
  const { print, width, writeRaw = (sequence) => void process.stdout.write(sequence) } = options
  let folder: string | undefined
  let saved = 0

  function save(kind: string, data: string, mimeType: string) {
    const bytes = Buffer.from(data, 'base64')
    const about = `${mimeType}, ${toSize(bytes.length)}`
    try {
      folder ??= openFolder()
      // The name is ours: one from a server could pass for another file.
      const path = join(folder, `${kind}-${++saved}${extensions[mimeType.split(';', 1)[0]!] ?? '.bin'}`)
      writeFileSync(path, bytes, { flag: 'wx', mode: 0o600 })
      // A path is not wrapped, so that it can be copied.
      print([...toPlainRows(`Saved ${about}:`, width), [path]])
    } catch (cause) {
      const { code } = cause as NodeJS.ErrnoException
      print(toPlainRows(`${about}: could not be saved (${code}). Free space in ${tmpdir()}, or use --json.`, width))
    }
  }

  function printText(text: string, mimeType?: string) {
    const value = toJson(text)
    if (value !== undefined) print(toValueRows(value, width))
    else if (mimeType === undefined ? looksLikeMarkdown(text) : /^text\/(?:x-)?markdown\b/.test(mimeType))
      print(toMarkdownRows(text, width))
    else print(toPlainRows(text, width))
  }

  function printResource(resource: JsonObject) {
    const { uri, mimeType, text, blob } = resource
    const type = typeof mimeType === 'string' ? mimeType : undefined
    const heading = [String(uri), ...(type === undefined ? [] : [`(${type})`])].join(' ')
    print(toPlainRows(heading, width).map((row) => row.map((part) => paint('dim', String(part)))))
    if (typeof text === 'string') printText(text, type)
    else if (typeof blob === 'string') {
      const decoded = type?.startsWith('text/') ? toDecoded(blob) : undefined
      if (decoded !== undefined) printText(decoded, type)
      else printBytes('resource', blob, type ?? 'application/octet-stream')
    }
  }

  function printBytes(kind: string, data: string, mimeType: string) {
    const inline = mimeType.startsWith('image/') ? toInlineImage(data, mimeType, width) : undefined
    if (inline === undefined) return save(kind, data, mimeType)
    writeRaw(`${inline}\n`)
  }

  return {
    print(block) {
      switch (block.type) {
        case 'text':
          return printText(String(block.text))
        case 'image':
        case 'audio':
          return printBytes(block.type, String(block.data), String(block.mimeType))
        case 'resource':
          return isObject(block.resource) ? printResource(block.resource) : undefined
        case 'resource_link':
          return print(toLinkRows(block, width))
      }
    },
  }
}

function toLinkRows({ uri, name, title, description, mimeType, size }: JsonObject, width: number): Part[][] {
  const about = [
    ...(typeof mimeType === 'string' ? [mimeType] : []),
    ...(typeof size === 'number' ? [toSize(size)] : []),
  ]
  const label = `${title ?? name}${about.length > 0 ? ` (${about.join(', ')})` : ''}`
  const address = toAddress(String(uri))
  const toPart = (part: Part): Part => ({
    ...paint(['underline', 'blue'], String(part)),
    ...(address !== undefined && { link: address }),
  })
  const indent = (row: readonly Part[]) => ['  ', ...row]
  return [
    ...toPlainRows(`→ ${label}`, width).map((row) => [...row]),
    ...toPlainRows(String(uri), width - 2).map((row) => indent(row.map(toPart))),
    ...(typeof description === 'string' ? toPlainRows(description, width - 2).map(indent) : []),
  ]
}

/** Short text that was sent as bytes; undefined if it is not UTF-8. */
function toDecoded(blob: string): string | undefined {
  try {
    return blob.length > maxTextLength
      ? undefined
      : new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(blob, 'base64'))
  } catch {
    return undefined
  }
}

const maxTextLength = 20_000

/** Many tools return JSON as text. Undefined for anything but an object or a list. */
function toJson(text: string): JsonValue | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Of types that open in a program without running anything. All others are `.bin`. */
const extensions: { readonly [mimeType: string]: string } = {
  'image/png': '.png',
  'image/jpeg': '.jpg',
  'image/gif': '.gif',
  'image/webp': '.webp',
  'image/bmp': '.bmp',
  'image/tiff': '.tiff',
  'image/avif': '.avif',
  'audio/wav': '.wav',
  'audio/x-wav': '.wav',
  'audio/mpeg': '.mp3',
  'audio/aac': '.aac',
  'audio/ogg': '.ogg',
  'audio/flac': '.flac',
  'audio/mp4': '.m4a',
  'video/mp4': '.mp4',
  'video/webm': '.webm',
  'application/pdf': '.pdf',
  'application/zip': '.zip',
  'application/gzip': '.gz',
  'application/json': '.json',
  'text/plain': '.txt',
  'text/csv': '.csv',
  'text/markdown': '.md',
}

export function toSize(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`
  return bytes < 1_000_000 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`
}

/** Removes the folders of this user that are older than a day. */
function openFolder(): string {
  for (const name of readdirSync(tmpdir()).filter((name) => name.startsWith(folderPrefix))) {
    const path = join(tmpdir(), name)
    try {
      const { uid, mtimeMs } = lstatSync(path)
      if (uid === userInfo().uid && Date.now() - mtimeMs > maxSavedMs) rmSync(path, { recursive: true })
    } catch {
      // Another process was faster.
    }
  }
  return mkdtempSync(join(tmpdir(), folderPrefix))
}
