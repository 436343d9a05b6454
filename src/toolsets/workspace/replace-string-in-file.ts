import type { Files } from '../../capabilities/files.ts'
import { toShownPath } from '../../contract/text/shown-path.ts'
import { ToolError } from '../../contract/tool-error.ts'
import { pathErrors } from './path-errors.ts'
import { toShownName } from './to-shown-name.ts'
import { defineWorkspaceTool } from './workspace-tool.ts'

const maxBytes = 10_485_760
const maxLinesListed = 1000

export const replaceStringInFile = defineWorkspaceTool(
  {
    name: 'replace_string_in_file',
    description:
      'Replaces the first occurrence of a string in a file. The file may have at most 10MB. old_string is ' +
      'literal, not a pattern, and must match the file exactly: case, spaces, indentation and line ends ' +
      '(read_file reports them). Include enough context to make it unique; of several matches, the ' +
      'first is replaced and a warning reports how many there are. The rest of the file stays the same, byte for ' +
      'byte. Use create_file for a new file.',
    risk: 'dangerous',
    input: {
      type: 'object',
      additionalProperties: false,
      required: ['path', 'old_string', 'new_string'],
      properties: {
        path: { type: 'string', description: 'Relative path to the file to modify', minLength: 1, maxLength: 4096 },
        old_string: { type: 'string', description: 'Exact string to find and replace', minLength: 1 },
        new_string: { type: 'string', description: 'String to replace with; empty to delete old_string' },
      },
    },
    metadata: {
      required: ['occurrences_found', 'occurrences_replaced', 'lines_changed'],
      properties: {
        occurrences_found: { type: 'integer', minimum: 1, description: 'How often old_string was in the file' },
        occurrences_replaced: { const: 1, description: 'Always 1: only the first is replaced' },
        lines_changed: {
          type: 'array',
          items: { type: 'integer', minimum: 1 },
          minItems: 1,
          maxItems: maxLinesListed,
          description: `Lines of the new string, at most ${maxLinesListed} of them`,
        },
      },
    },
    errors: [
      pathErrors.outside,
      pathErrors.invalid,
      pathErrors.notFound,
      pathErrors.notFile,
      {
        code: 'string_not_found',
        status: 422,
        when: 'The file does not contain old_string.',
        suggestion: 'Read the file with read_file and copy old_string from it exactly.',
      },
      {
        code: 'nothing_to_replace',
        status: 400,
        when: 'old_string and new_string are the same.',
        suggestion: 'Send a new_string that differs from old_string, or leave the file as it is.',
      },
      {
        code: 'file_changed',
        status: 409,
        when: 'Something else changed the file during the call; it was left as it is.',
        suggestion: 'Read the file again with read_file and repeat the change on what it contains now.',
      },
      {
        code: 'file_too_large',
        status: 413,
        when: 'The file is larger than 10MB, or would be with the new string.',
        suggestion: 'Change it with run_in_terminal, for example with sed.',
      },
      pathErrors.denied,
      pathErrors.failed,
    ],
    limits: { inputBytes: 67_108_864 },
    effects: { reads: ['path'], writes: ['path'], returns: [] },
    examples: [
      {
        title: 'One occurrence',
        given: { files: { 'hello.py': 'name = "Ada"\nprint(name)\n' } },
        input: { path: 'hello.py', old_string: 'print(name)', new_string: 'print("Hello", name)' },
        returns: {
          output: 'Replaced 1 occurrence in hello.py',
          filesAffected: ['hello.py'],
          metadata: { occurrences_found: 1, occurrences_replaced: 1, lines_changed: [2] },
        },
      },
      {
        title: 'Several occurrences',
        given: { files: { 'list.txt': 'a\nb\na\na\n' } },
        input: { path: 'list.txt', old_string: 'a', new_string: 'c' },
        returns: {
          output: 'Replaced 1 occurrence in list.txt',
          filesAffected: ['list.txt'],
          metadata: { occurrences_found: 3, occurrences_replaced: 1, lines_changed: [1] },
          warnings: ['Found 3 occurrences, replaced only the first at line 1'],
        },
      },
      {
        title: 'A string that is not in the file',
        given: { files: { 'hello.py': 'print("Hello")\n' } },
        input: { path: 'hello.py', old_string: 'old_text', new_string: 'new_text' },
        error: 'string_not_found',
      },
    ],
  },
  async (input, { signal }, { files }: { files: Files }) => {
    const plan = await planChange(files, input, signal)
    if (plan instanceof ToolError) return plan
    const { before, after, at, old, replacement, identity } = plan
    const replaced = await files.replace(input.path, after, identity)
    const found = countFrom(before, old, at)
    const line = countLineBreaks(before.subarray(0, at)) + 1
    const lines = Math.min(countLineBreaks(replacement) + 1, maxLinesListed)
    return {
      output: `Replaced 1 occurrence in ${toShownName(replaced.path)}`,
      filesAffected: [replaced.path],
      metadata: {
        occurrences_found: found,
        occurrences_replaced: 1,
        lines_changed: Array.from({ length: lines }, (_, index) => line + index),
      },
      warnings: found > 1 ? [`Found ${found} occurrences, replaced only the first at line ${line}`] : undefined,
    }
  },
  {
    needs: ['files'],
    async validate(input, { signal }, { files }) {
      const plan = await planChange(files, input, signal)
      return plan instanceof ToolError ? plan : files.check.replace(input.path)
    },
    async preview(input, { files }, signal) {
      const plan = await planChange(files, input, signal)
      if (plan instanceof ToolError) throw plan
      return { changes: [{ path: input.path, before: plan.before.toString(), after: plan.after.toString() }] }
    },
  },
)

interface Change {
  readonly path: string
  readonly old_string: string
  readonly new_string: string
}

/** Reads the file and computes the new content, or returns the error. */
async function planChange(
  files: Files,
  { path, old_string: oldString, new_string: newString }: Change,
  signal: AbortSignal,
) {
  if (oldString === newString) return new ToolError('nothing_to_replace', 'old_string and new_string are the same')
  const { bytes, identity } = await files.readWhole(path, { maxBytes, signal })
  const before = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const [old, replacement] = [Buffer.from(oldString), Buffer.from(newString)]
  const at = before.indexOf(old)
  if (at < 0) {
    return new ToolError('string_not_found', `String '${toShownPath(oldString)}' not found in file`, {
      suggestion: explainNotFound(before, oldString),
    })
  }
  const size = before.length - old.length + replacement.length
  if (size > maxBytes)
    return new ToolError('file_too_large', `The file would have ${size} bytes, more than the 10MB allowed`)
  const after = Buffer.concat([before.subarray(0, at), replacement, before.subarray(at + old.length)])
  return { before, after, at, old, replacement, identity }
}

/** Latin-1 maps bytes one to one and is searched several times faster than a buffer with many matches. */
function countFrom(bytes: Buffer, wanted: Buffer, first: number): number {
  const [text, part] = [bytes.toString('latin1'), wanted.toString('latin1')]
  let found = 0
  for (let at = first; at >= 0; at = text.indexOf(part, at + part.length)) found++
  return found
}

function countLineBreaks(bytes: Buffer): number {
  let found = 0
  for (const byte of bytes) if (byte === 10) found++
  return found
}

/** Suggests how to fix an `old_string` that is not in the file: line ends, or a similar line to copy from. */
function explainNotFound(file: Buffer, wanted: string): string {
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
  return `A similar text begins at line ${line}: read from there with read_file and copy old_string exactly, with its spaces and line ends.`
}

function countLines(before: Buffer): number {
  let lines = 1
  for (const byte of before) if (byte === 10) lines++
  return lines
}
