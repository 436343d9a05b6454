/** Suggests how to fix an `old_string` that is not in the file: line ends, or a similar line to copy from. */
export function explainNotFound(file: Buffer, wanted: string): string {
  const unix = wanted.replaceAll('\r\n', '\n')
  if (file.includes(unix.replaceAll('\n', '\r\n'))) {
    return 'The file has CRLF line ends: write \\r\\n for every line end in old_string and new_string.'
  }
  if (file.includes(unix)) return 'The file has LF line ends: write \\n, not \\r\\n, in old_string and new_string.'
  const [first] = wanted
    .split('\n', 100)
    .map((line) => line.trim())
    .filter(Boolean)
  const at = first === undefined ? -1 : file.indexOf(first)
  if (at < 0) return 'Read the file with read_file and copy old_string from it exactly.'
  const line = countLines(file.subarray(0, at))
  return `Something like it begins at line ${line}: read from there with read_file and copy old_string exactly, with its spaces and line ends.`
}

function countLines(before: Buffer): number {
  let lines = 1
  for (const byte of before) if (byte === 10) lines++
  return lines
}
