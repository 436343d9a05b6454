import type { Entry, Listing } from '../../capabilities/files/list.ts'
import type { Files } from '../../capabilities/files.ts'
import { ToolError } from '../../contract/tool-error.ts'
import { pathErrors } from './path-errors.ts'
import { toCount } from './to-count.ts'
import { toShownName } from './to-shown-name.ts'
import { defineWorkspaceTool } from './workspace-tool.ts'

const pageSize = 1000

export const listDir = defineWorkspaceTool(
  {
    name: 'list_dir',
    description:
      'Lists the contents of one directory. Hidden files are listed too; entries are sorted by name, 1000 per ' +
      'page. Directories end in /, symbolic links are shown as name -> target and not followed, devices, sockets ' +
      'and pipes are marked (special), and a name that could be misread is written as a JSON string. For ' +
      'subdirectories, use file_search.',
    risk: 'read_only',
    input: {
      type: 'object',
      additionalProperties: false,
      properties: {
        path: {
          type: 'string',
          description: 'Relative path to directory (default: current directory)',
          default: '.',
          minLength: 1,
          maxLength: 4096,
        },
        page: {
          type: 'integer',
          description: 'Which 1000 entries to show, from 1 (default: 1); metadata.pages is the number of pages',
          default: 1,
          minimum: 1,
        },
      },
    },
    metadata: {
      required: ['total_entries', 'files', 'directories', 'other', 'page', 'pages'],
      properties: {
        total_entries: { type: 'integer', minimum: 0, description: 'Number of entries in the directory' },
        files: { type: 'integer', minimum: 0, description: 'How many of them are regular files' },
        directories: { type: 'integer', minimum: 0, description: 'How many of them are directories' },
        other: { type: 'integer', minimum: 0, description: 'How many are symbolic links or special files' },
        page: { type: 'integer', minimum: 1, description: 'The current page' },
        pages: { type: 'integer', minimum: 1, description: 'Number of pages' },
      },
    },
    errors: [
      pathErrors.outside,
      pathErrors.invalid,
      pathErrors.notFound,
      pathErrors.notDirectory,
      {
        code: 'invalid_page',
        status: 400,
        when: 'The directory has fewer pages.',
        suggestion: 'Ask for page 1; metadata.pages is the number of pages.',
      },
      pathErrors.denied,
      pathErrors.failed,
    ],
    limits: { outputBytes: 16_777_216 },
    effects: { reads: ['path'], returns: ['private'] },
    examples: [
      {
        title: 'Files and a directory',
        given: { files: { 'src/app.py': '', 'src/utils.py': '', 'src/models/user.py': '' } },
        input: { path: 'src' },
        returns: {
          output: 'Contents of ./src:\n  app.py\n  models/\n  utils.py\n',
          metadata: { total_entries: 3, files: 2, directories: 1, other: 0, page: 1, pages: 1 },
        },
      },
      {
        title: 'A file is not a directory',
        given: { files: { 'file.txt': '' } },
        input: { path: 'file.txt' },
        error: 'not_a_directory',
      },
      { title: 'Outside the working directory', input: { path: '..' }, error: 'path_outside_working_dir' },
    ],
  },
  async ({ path, page }, _context, { files }: { files: Files }) => {
    const offset = (page - 1) * pageSize
    const listing = await files.list(path, { offset, limit: pageSize })
    const { total, entries, directories } = listing
    const pages = toPages(listing)
    if (page > pages) return toInvalidPage(page, pages)
    const shown = listing.path === '.' ? '.' : `./${toShownName(listing.path)}`
    const more = page < pages ? `; continue with page ${page + 1}` : ''
    return {
      output: [
        `Contents of ${shown}${total === 0 ? ' (empty)' : ''}:`,
        ...entries.map((entry) => `  ${toEntryText(entry)}`),
        '',
      ].join('\n'),
      metadata: {
        total_entries: total,
        files: listing.files,
        directories,
        other: total - listing.files - directories,
        page,
        pages,
      },
      warnings:
        pages > 1 ? [`Found ${total} entries, showing ${offset + 1}-${offset + entries.length}${more}`] : undefined,
    }
  },
  {
    needs: ['files'],
    async validate({ path, page }, _context, { files }) {
      if (page === 1) return files.check.list(path)
      const pages = toPages(await files.list(path, { limit: 0 }))
      return page > pages ? toInvalidPage(page, pages) : undefined
    },
    checkedByRun: true,
  },
)

function toPages({ total }: Listing): number {
  return Math.max(1, Math.ceil(total / pageSize))
}

function toInvalidPage(page: number, pages: number) {
  return new ToolError('invalid_page', `Page ${page} invalid - directory has ${toCount(pages, 'page')}`, {
    suggestion: `Ask for a page from 1 to ${pages}.`,
  })
}

function toEntryText({ name, kind, target }: Entry): string {
  const shown = toShownName(name)
  if (kind === 'directory') return `${shown}/`
  if (kind === 'symlink') return `${shown} -> ${target === undefined ? '?' : toShownName(target)}`
  return kind === 'file' ? shown : `${shown} (special)`
}
