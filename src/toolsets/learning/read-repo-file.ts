import type { Files } from '../../capabilities/files.ts'
import { defineTool } from '../../contract/define-tool.ts'
import { ToolError } from '../../contract/tool-error.ts'
import { maxOutputBytes, readRepoFile as read, readErrors } from '../../tool-parts/repository/read-repo-file.ts'
import { openFiles as open } from './open-files.ts'

export const readRepoFile = defineTool(
  {
    name: 'read_repo_file',
    description: 'Read a file from the repository. Limited to safe paths only.',
    risk: 'read_only',
    input: {
      type: 'object',
      additionalProperties: false,
      required: ['path'],
      properties: {
        path: {
          type: 'string',
          description: 'Relative path from repo root',
          pattern: '^[a-zA-Z0-9/_.-]+$',
          maxLength: 256,
        },
      },
    },
    output: {
      type: 'object',
      additionalProperties: false,
      required: ['content', 'size'],
      properties: {
        content: { type: 'string', description: 'File content' },
        size: { type: 'integer', description: 'File size in bytes' },
      },
    },
    errors: [
      readErrors.notFile,
      readErrors.invalid,
      readErrors.notText,
      {
        ...readErrors.denied,
        suggestion:
          'Read a file under docs/, paths/, stacks/ or .claude/memory/, or README.md or CLAUDE.md, without .. in its path.',
      },
      readErrors.notFound,
      readErrors.tooLarge,
      readErrors.failed,
    ],
    limits: { outputBytes: maxOutputBytes },
    effects: { reads: ['path'], returns: ['private'] },
    summary: { access: 'Filtered', sideEffects: 'None' },
    constraints: [
      'Allowed paths: docs/**, paths/**, stacks/**, .claude/memory/** (read-only), README.md, CLAUDE.md',
      'Denied paths: .env*, **/secrets/**, **/.git/**, Any path with ..',
      'Maximum file size: 1MB',
      'Text files only (UTF-8)',
    ],
    examples: [
      {
        given: { files: { 'docs/intro.md': '# Start here\n' } },
        input: { path: 'docs/intro.md' },
        output: { content: '# Start here\n', size: 13 },
      },
      {
        title: 'A file that is denied, whether it exists or not',
        given: { files: { 'docs/.env': 'KEY=1\n' } },
        input: { path: 'docs/.env' },
        error: 'access_denied',
      },
      { title: 'A file that does not exist', input: { path: 'docs/missing.md' }, error: 'file_not_found' },
    ],
  },
  async ({ path }, { signal }, { files }: { files: Files }) => {
    const file = await read(files, { path, signal }, open)
    return file instanceof ToolError ? file : { content: file.content, size: file.size }
  },
  {
    needs: ['files'],
    async validate({ path }, { signal }, { files }) {
      const file = await read(files, { path, signal }, open)
      return file instanceof ToolError ? file : undefined
    },
    checkedByRun: true,
  },
)
