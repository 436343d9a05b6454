import type { LineRange } from '../../capabilities/files/read-lines.ts'
import type { Files } from '../../capabilities/files.ts'
import { ToolError } from '../../contract/tool-error.ts'
import { pathErrors } from './path-errors.ts'
import { toCount } from './to-count.ts'
import { toShownName } from './to-shown-name.ts'
import { defineWorkspaceTool } from './workspace-tool.ts'

export const readFile = defineWorkspaceTool(
  {
    name: 'read_file',
    description:
      'Reads a text file, or a range of its lines. The output is one line that describes what is shown, then the exact ' +
      'content with its line ends. At most 10MB are returned: if metadata.truncated is true, continue at ' +
      'metadata.next_start_line. Of a binary file the first 1KB is shown as hex. To find text in many files, use ' +
      'grep_search; to list a directory, use list_dir.',
    risk: 'read_only',
    input: {
      type: 'object',
      additionalProperties: false,
      required: ['path'],
      properties: {
        path: { type: 'string', description: 'Relative path to the file to read', minLength: 1, maxLength: 4096 },
        start_line: {
          type: 'integer',
          description: 'Starting line number (1-indexed, optional; default: the first line)',
          minimum: 1,
        },
        end_line: {
          type: 'integer',
          description:
            'Ending line number (1-indexed, inclusive, optional; default: the last line). Past the end of the file it ' +
            'means the last line; it must not be less than start_line.',
          minimum: 1,
        },
      },
    },
    metadata: {
      required: ['total_lines', 'lines_returned', 'file_size_bytes', 'start_line', 'end_line', 'truncated'],
      properties: {
        total_lines: { type: 'integer', minimum: 0, description: 'Number of lines in the file' },
        lines_returned: {
          type: 'integer',
          minimum: 0,
          description: 'Number of lines in the output; 0 for a binary file',
        },
        file_size_bytes: { type: 'integer', minimum: 0, description: 'Size of the whole file in bytes' },
        start_line: { type: 'integer', minimum: 1, description: 'First line returned' },
        end_line: { type: 'integer', minimum: 0, description: 'Last line returned; start_line - 1 if there is none' },
        truncated: { type: 'boolean', description: 'Part of the requested content is missing because of its size' },
        next_start_line: { type: 'integer', minimum: 2, description: 'Where to continue, if lines are missing' },
        line_endings: {
          enum: ['lf', 'crlf', 'mixed', 'none'],
          description: 'Line ends of the returned lines; old_string of replace_string_in_file must use the same',
        },
        bom: { const: true, description: 'The file begins with a byte order mark, which is not in the output' },
        binary: { const: true, description: 'The file is binary: the output is hex' },
      },
    },
    errors: [
      pathErrors.outside,
      pathErrors.invalid,
      pathErrors.notFound,
      pathErrors.notFile,
      {
        code: 'invalid_line_range',
        status: 400,
        when: 'The range begins past the end of the file, or ends before it begins.',
        suggestion: 'Request lines that the file has, with start_line not above end_line.',
      },
      pathErrors.denied,
      pathErrors.failed,
    ],
    limits: { outputBytes: 67_108_864 },
    effects: { reads: ['path'], returns: ['private'] },
    examples: [
      {
        title: 'A whole file',
        given: { files: { 'hello.py': 'name = "Ada"\nprint(name)\n' } },
        input: { path: 'hello.py' },
        returns: {
          output: 'Contents of hello.py (lines 1-2):\nname = "Ada"\nprint(name)\n',
          metadata: {
            total_lines: 2,
            lines_returned: 2,
            file_size_bytes: 25,
            start_line: 1,
            end_line: 2,
            truncated: false,
            line_endings: 'lf',
          },
        },
      },
      {
        title: 'A range of lines',
        given: { files: { 'list.txt': 'one\ntwo\nthree\nfour\n' } },
        input: { path: 'list.txt', start_line: 2, end_line: 3 },
        returns: {
          output: 'Contents of list.txt (lines 2-3):\ntwo\nthree\n',
          metadata: {
            total_lines: 4,
            lines_returned: 2,
            file_size_bytes: 19,
            start_line: 2,
            end_line: 3,
            truncated: false,
            line_endings: 'lf',
          },
        },
      },
      { title: 'A file that does not exist', input: { path: 'missing.txt' }, error: 'file_not_found' },
      {
        title: 'A range past the end',
        given: { files: { 'list.txt': 'one\ntwo\n' } },
        input: { path: 'list.txt', start_line: 30, end_line: 40 },
        error: 'invalid_line_range',
      },
      { title: 'Outside the working directory', input: { path: '../x' }, error: 'path_outside_working_dir' },
    ],
  },
  async ({ path, start_line: start = 1, end_line: end }, { signal }, { files }: { files: Files }) => {
    const read = await files.readLines(path, { start, end, signal })
    if (read.binary) return toHexOutcome(read)
    const invalid = checkRange(read, start, end)
    if (invalid) return invalid
    const { startLine, endLine } = read
    const range = endLine < startLine ? 'empty' : `lines ${startLine}-${endLine}`
    return {
      output: `Contents of ${toShownName(read.path)} (${range}):\n${read.text}`,
      metadata: {
        ...toFacts(read),
        lines_returned: endLine - startLine + 1,
        end_line: endLine,
        truncated: read.truncated,
        ...(read.nextLine !== undefined && { next_start_line: read.nextLine }),
        line_endings: toLineEndings(read.text),
        ...(read.byteOrderMark && { bom: true }),
      },
      warnings: toWarnings(read),
    }
  },
  {
    needs: ['files'],
    async validate({ path, start_line: start = 1, end_line: end }, { signal }, { files }) {
      // A range that begins at line 1 is valid in every file.
      if (start === 1) return files.check.read(path)
      const read = await files.readLines(path, { start, end: 0, signal })
      return read.binary ? undefined : checkRange(read, start, end)
    },
    checkedByRun: true,
  },
)

function checkRange({ totalLines }: LineRange, start: number, end: number | undefined) {
  if (start <= (end ?? start) && start <= Math.max(totalLines, 1)) return undefined
  return new ToolError(
    'invalid_line_range',
    `Line range invalid - file has ${toCount(totalLines, 'line')}, requested ${start}-${end ?? 'end'}`,
    { suggestion: `Request lines from 1 to ${Math.max(totalLines, 1)}, with start_line not above end_line.` },
  )
}

function toFacts({ totalLines, sizeBytes, startLine }: LineRange) {
  return { total_lines: totalLines, file_size_bytes: sizeBytes, start_line: startLine }
}

function toHexOutcome(read: LineRange) {
  const shown = `first ${toCount(read.head.length, 'byte')} as hex`
  return {
    output: `Contents of ${toShownName(read.path)} (${shown}):\n${toHexLines(read.head)}`,
    metadata: {
      ...toFacts(read),
      lines_returned: 0,
      end_line: read.startLine - 1,
      truncated: read.sizeBytes > read.head.length,
      binary: true as const,
    },
    warnings: ['File appears to be binary, displaying first 1KB as hex'],
  }
}

function toWarnings({ startLine, endLine, totalLines, nextLine, ...read }: LineRange): string[] {
  const hint = nextLine === undefined ? '' : `; continue with start_line ${nextLine}`
  const warnings: string[] = []
  if (read.lineCut) warnings.push(`Line ${startLine} is longer than 10MB, showing the beginning of it${hint}`)
  else if (read.truncated) {
    warnings.push(`Content is larger than 10MB, showing lines ${startLine}-${endLine} of ${totalLines}${hint}`)
  }
  if (!read.validUtf8) warnings.push('File is not valid UTF-8, wrong bytes are shown as \ufffd')
  return warnings
}

function toLineEndings(text: string): 'lf' | 'crlf' | 'mixed' | 'none' {
  if (!text.includes('\n')) return 'none'
  if (!text.includes('\r\n')) return 'lf'
  return /(?<!\r)\n/.test(text) ? 'mixed' : 'crlf'
}

/** A hex dump with sixteen bytes per line: offset, hex, printable characters. */
function toHexLines(bytes: Uint8Array): string {
  let lines = ''
  for (let offset = 0; offset < bytes.length; offset += 16) {
    const row = Array.from(bytes.subarray(offset, offset + 16))
    const hex = row.map((byte) => byte.toString(16).padStart(2, '0')).join(' ')
    const text = row.map((byte) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '.')).join('')
    lines += `${offset.toString(16).padStart(8, '0')}  ${hex.padEnd(47)}  |${text}|\n`
  }
  return lines
}
