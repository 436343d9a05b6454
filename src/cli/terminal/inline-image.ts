/** Larger images are saved instead: the terminal decodes them while everything waits. */
const maxBase64Length = 4_000_000
/** The limit of the kitty protocol for one escape sequence. */
const chunkLength = 4096
/** Rough width of a character cell, to fit wide images. */
const cellPixels = 8

type Environment = { readonly [name: string]: string | undefined }

/** The escape sequence that shows an image in this terminal; undefined if the terminal is not known to support that. */
export function toInlineImage(
  data: string,
  mimeType: string,
  columns: number,
  environment: Environment = process.env,
): string | undefined {
  if (data.length > maxBase64Length || !/^[A-Za-z0-9+/]+={0,2}$/.test(data)) return undefined
  const protocol = findProtocol(environment)
  if (protocol === 'kitty' && mimeType === 'image/png') return toKitty(data, columns)
  if (protocol === 'iterm' && /^image\/(?:png|jpeg|gif)$/.test(mimeType)) return toIterm(data, columns)
  return undefined
}

/** tmux and screen do not pass images on. */
function findProtocol(environment: Environment): 'kitty' | 'iterm' | undefined {
  const { TERM = '', TERM_PROGRAM, LC_TERMINAL, KITTY_WINDOW_ID, TMUX, STY } = environment
  if (TMUX || STY || /^(?:screen|tmux|dumb)/.test(TERM)) return undefined
  if (KITTY_WINDOW_ID || TERM === 'xterm-kitty' || TERM === 'xterm-ghostty' || TERM_PROGRAM === 'ghostty')
    return 'kitty'
  return TERM_PROGRAM === 'iTerm.app' || TERM_PROGRAM === 'WezTerm' || LC_TERMINAL === 'iTerm2' ? 'iterm' : undefined
}

function toKitty(data: string, columns: number): string {
  const scale = widthOfPng(data) > columns * cellPixels ? `,c=${columns}` : ''
  const chunks = data.match(new RegExp(`.{1,${chunkLength}}`, 'g'))!
  return chunks
    .map((chunk, index) => {
      const more = index < chunks.length - 1 ? 1 : 0
      return `\x1b_G${index === 0 ? `a=T,f=100,q=2${scale},` : ''}m=${more};${chunk}\x1b\\`
    })
    .join('')
}

function toIterm(data: string, columns: number): string {
  const size = Buffer.byteLength(data, 'base64')
  const isWide = widthOfPng(data) > columns * cellPixels
  return `\x1b]1337;File=inline=1;size=${size};width=${isWide ? columns : 'auto'};preserveAspectRatio=1:${data}\x07`
}

/** In pixels; 0 for other formats, which terminals fit themselves. */
function widthOfPng(data: string): number {
  const head = Buffer.from(data.slice(0, 32), 'base64')
  return head.length >= 20 && head.readUInt32BE(0) === 0x89504e47 ? head.readUInt32BE(16) : 0
}
