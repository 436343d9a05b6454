import type { Files } from '../../capabilities/files.ts'
import { defineTool } from '../../contract/define-tool.ts'
import { ToolError } from '../../contract/tool-error.ts'
import {
  maxOutputBytes,
  type OpenFiles,
  readRepoFile as read,
  readErrors,
} from '../../tool-parts/repository/read-repo-file.ts'

const open: OpenFiles = {
  deny: ['**/.env*', '**/secrets/**', '**/*.key', '**/*.pem'],
  refusesDots: 'as a name',
}

export const readRepoFile = defineTool(
  {
    name: 'read_repo_file',
    description: 'Read a file from the repository. Limited to safe paths.',
    risk: 'read_only',
    input: {
      type: 'object',
      additionalProperties: false,
      required: ['path'],
      properties: {
        path: { type: 'string', description: 'Relative path from repo root', pattern: '^[a-zA-Z0-9_./-]+$' },
        encoding: {
          type: 'string',
          enum: ['utf-8', 'base64'],
          default: 'utf-8',
          description: 'How the content is returned: as text, or as base64 for other files',
        },
      },
    },
    output: {
      type: 'object',
      additionalProperties: false,
      required: ['content', 'size', 'modified'],
      properties: {
        content: { type: 'string', description: 'File content' },
        size: { type: 'integer', description: 'File size in bytes' },
        modified: { type: 'string', format: 'date-time', description: 'Last modified timestamp' },
      },
    },
    errors: [
      readErrors.notFile,
      readErrors.invalid,
      { ...readErrors.notText, suggestion: 'Read it with the encoding base64.' },
      {
        ...readErrors.denied,
        suggestion:
          'Read another file of the repository, without .. in its path: .env* files, secrets folders, *.key and *.pem cannot be read.',
      },
      readErrors.notFound,
      readErrors.tooLarge,
      readErrors.failed,
    ],
    limits: { outputBytes: maxOutputBytes },
    effects: { reads: ['path'], returns: ['private'] },
    summary: { access: 'Filtered', sideEffects: 'None' },
    constraints: [
      'Allowed paths: Files in repo root only',
      'Blocked paths: .env* files, **/secrets/**, **/*.key, **/*.pem',
      'Max file size: 1MB',
      'Read-only: Cannot modify files',
    ],
    examples: [
      {
        given: { files: { 'paths/Advanced/tracker.md': '# Progress Tracker\n' } },
        input: { path: 'paths/Advanced/tracker.md' },
        output: { content: '# Progress Tracker\n', size: 19, modified: '2026-01-09T10:00:00Z' },
        varies: ['/modified'],
      },
      {
        title: 'As base64',
        given: { files: { 'a.txt': 'a' } },
        input: { path: 'a.txt', encoding: 'base64' },
        output: { content: 'YQ==', size: 1, modified: '2026-01-09T10:00:00Z' },
        varies: ['/modified'],
      },
      {
        title: 'A file that is blocked, whether it exists or not',
        input: { path: 'certificates/server.pem' },
        error: 'access_denied',
      },
      { title: 'A file that does not exist', input: { path: 'paths/missing.md' }, error: 'file_not_found' },
    ],
  },
  async ({ path, encoding }, { signal }, { files }: { files: Files }) => {
    const file = await read(files, { path, encoding, signal }, open)
    return file instanceof ToolError ? file : { ...file }
  },
  {
    needs: ['files'],
    async validate({ path, encoding }, { signal }, { files }) {
      const file = await read(files, { path, encoding, signal }, open)
      return file instanceof ToolError ? file : undefined
    },
    checkedByRun: true,
  },
)
