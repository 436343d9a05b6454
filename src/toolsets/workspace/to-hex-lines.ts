/** A hex dump with sixteen bytes per line: offset, hex, printable characters. */
export function toHexLines(bytes: Uint8Array): string {
  let lines = ''
  for (let offset = 0; offset < bytes.length; offset += 16) {
    const row = Array.from(bytes.subarray(offset, offset + 16))
    const hex = row.map((byte) => byte.toString(16).padStart(2, '0')).join(' ')
    const text = row.map((byte) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '.')).join('')
    lines += `${offset.toString(16).padStart(8, '0')}  ${hex.padEnd(47)}  |${text}|\n`
  }
  return lines
}
