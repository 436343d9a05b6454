import type { Files } from '../../capabilities/files.ts'
import { defineResource } from '../../contract/define-resource.ts'
import { completePath, maxResourceBytes, readFileResource } from '../../tool-parts/file-resource.ts'
import { pathErrors } from './path-errors.ts'

export const file = defineResource(
  {
    name: 'file',
    description:
      'A file of the working directory: text, or bytes with the type that they have. At most 4MB. To read a range of ' +
      'lines, use read_file.',
    uriTemplate: 'workspace:///{+path}',
    variables: { path: 'Relative path to the file' },
    errors: [
      pathErrors.outside,
      pathErrors.invalid,
      pathErrors.notFile,
      pathErrors.notDirectory,
      pathErrors.denied,
      {
        code: 'file_too_large',
        status: 413,
        when: 'The file has more than 4MB (4,194,304 bytes).',
        suggestion: 'Read a part of it with read_file.',
      },
      pathErrors.failed,
    ],
    limits: { outputBytes: maxResourceBytes },
    effects: { reads: ['path'], returns: ['private'] },
    examples: [
      {
        given: { files: { 'notes/today.md': '# Today\n' } },
        input: { path: 'notes/today.md' },
        output: {
          contents: [{ uri: 'workspace:///notes/today.md', mimeType: 'text/markdown', text: '# Today\n' }],
        },
      },
      { title: 'A file that does not exist', input: { path: 'missing.md' }, error: 'resource_not_found' },
      { title: 'Outside the working directory', input: { path: '../x' }, error: 'path_outside_working_dir' },
    ],
  },
  ({ path }, { signal }, { files }: { files: Files }) => readFileResource(files, path, signal),
  { needs: ['files'], complete: { path: (typed, _known, { files }) => completePath(files, typed) } },
)
