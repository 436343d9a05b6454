import type { Files } from '../../capabilities/files.ts'
import { ToolError } from '../../contract/tool-error.ts'
import { pathErrors } from './path-errors.ts'
import { toCount } from './to-count.ts'
import { toShownName } from './to-shown-name.ts'
import { defineWorkspaceTool } from './workspace-tool.ts'

const maxBytes = 10_485_760

export const createFile = defineWorkspaceTool(
  {
    name: 'create_file',
    description: 'Create a new file with specified content.',
    risk: 'safe_write',
    input: {
      type: 'object',
      properties: {
        path: {
          type: 'string',
          description: 'Relative path to the file to create',
          minLength: 1,
          maxLength: 4096,
        },
        content: { type: 'string', description: 'Content to write to the file' },
      },
      required: ['path', 'content'],
      additionalProperties: false,
    },
    metadata: {
      required: ['size_bytes', 'created_parents'],
      properties: {
        size_bytes: { type: 'integer', minimum: 0, description: 'Size of the file in bytes' },
        created_parents: {
          type: 'array',
          items: { type: 'string' },
          description: 'Directories that were created for it, outermost first',
        },
      },
    },
    errors: [
      pathErrors.outside,
      pathErrors.invalid,
      {
        code: 'file_exists',
        status: 409,
        when: 'The path exists already, as a file, directory or symbolic link.',
        suggestion: 'Choose another name, or use replace_string_in_file to modify the file.',
      },
      {
        code: 'content_too_large',
        status: 413,
        when: 'The content is larger than 10MB as UTF-8.',
        suggestion: 'Write several smaller files, or let run_in_terminal generate a large one.',
      },
      { ...pathErrors.notFound, when: 'A symbolic link on the path is dangling.' },
      pathErrors.notDirectory,
      pathErrors.denied,
      pathErrors.failed,
    ],
    limits: { inputBytes: 67_108_864 },
    effects: { writes: ['path'], returns: [] },
    examples: [
      {
        title: 'A new file in a new directory',
        input: { path: 'src/hello.py', content: 'print("Hello")\n' },
        returns: {
          output: 'Created file: src/hello.py (15 bytes)',
          filesAffected: ['src/hello.py'],
          metadata: { size_bytes: 15, created_parents: ['src'] },
        },
      },
      {
        title: 'A file that exists already',
        given: { files: { 'test.txt': 'kept\n' } },
        input: { path: 'test.txt', content: 'new\n' },
        error: 'file_exists',
      },
      {
        title: 'Outside the working directory',
        input: { path: '../etc/passwd', content: '' },
        error: 'path_outside_working_dir',
      },
    ],
  },
  async ({ path, content }, _context, { files }: { files: Files }) => {
    const tooLarge = checkSize(content)
    if (tooLarge) return tooLarge
    const created = await files.createExclusive(path, Buffer.from(content))
    return {
      output: `Created file: ${toShownName(created.path)} (${toCount(created.bytes, 'byte')})`,
      filesAffected: [created.path],
      metadata: { size_bytes: created.bytes, created_parents: [...created.createdParents] },
    }
  },
  {
    needs: ['files'],
    validate: async ({ path, content }, _context, { files }) => checkSize(content) ?? files.check.createExclusive(path),
    preview: async ({ path, content }) => ({ changes: [{ path, after: content }] }),
  },
)

function checkSize(content: string) {
  const size = Buffer.byteLength(content)
  if (size <= maxBytes) return undefined
  return new ToolError('content_too_large', `Content has ${size} bytes, more than the 10MB allowed`)
}
