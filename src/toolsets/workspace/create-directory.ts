import type { Files } from '../../capabilities/files.ts'
import { pathErrors } from './path-errors.ts'
import { toShownName } from './to-shown-name.ts'
import { defineWorkspaceTool } from './workspace-tool.ts'

export const createDirectory = defineWorkspaceTool(
  {
    name: 'create_directory',
    description:
      'Creates a directory and every missing parent, like mkdir -p. An existing directory is not an error. ' +
      'create_file creates missing directories itself.',
    risk: 'safe_write',
    input: {
      type: 'object',
      additionalProperties: false,
      required: ['path'],
      properties: {
        path: {
          type: 'string',
          description: 'Relative path to directory to create',
          minLength: 1,
          maxLength: 4096,
        },
      },
    },
    metadata: {
      required: ['created', 'created_parents'],
      properties: {
        created: { type: 'boolean', description: 'False if the directory existed already' },
        created_parents: {
          type: 'array',
          items: { type: 'string' },
          description: 'Parent directories that were created, outermost first',
        },
      },
    },
    errors: [
      pathErrors.outside,
      pathErrors.invalid,
      {
        ...pathErrors.notDirectory,
        when: 'The path, or a part of it, exists as a file.',
        suggestion: 'Choose another name; list_dir shows what is there.',
      },
      { ...pathErrors.notFound, when: 'A symbolic link on the path is dangling.' },
      pathErrors.denied,
      pathErrors.failed,
    ],
    effects: { writes: ['path'], returns: [] },
    examples: [
      {
        title: 'A directory with its parent',
        input: { path: 'src/models' },
        returns: {
          output: 'Created directory: src/models',
          filesAffected: ['src/models'],
          metadata: { created: true, created_parents: ['src'] },
        },
      },
      {
        title: 'A directory that exists already',
        given: { files: { 'src/app.py': '' } },
        input: { path: 'src' },
        returns: { output: 'Directory already exists: src', metadata: { created: false, created_parents: [] } },
      },
      {
        title: 'The path of a file',
        given: { files: { 'test.txt': '' } },
        input: { path: 'test.txt' },
        error: 'not_a_directory',
      },
    ],
  },
  async ({ path }, _context, { files }: { files: Files }) => {
    const made = await files.createDirectory(path)
    return {
      output: `${made.created ? 'Created directory' : 'Directory already exists'}: ${toShownName(made.path)}`,
      filesAffected: made.created ? [made.path] : [],
      metadata: { created: made.created, created_parents: [...made.createdParents] },
    }
  },
  { needs: ['files'], validate: async ({ path }, _context, { files }) => files.check.createDirectory(path) },
)
