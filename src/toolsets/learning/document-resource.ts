import type { Files } from '../../capabilities/files.ts'
import type { Search } from '../../capabilities/search.ts'
import { defineResource } from '../../contract/define-resource.ts'
import type { ListedResource } from '../../contract/offer.ts'
import { ToolError } from '../../contract/tool-error.ts'
import { completePath, toTextType } from '../../tool-parts/file-resource.ts'
import { maxOutputBytes, readErrors, readRepoFile } from '../../tool-parts/repository/read-repo-file.ts'
import { openFiles } from './open-files.ts'

const folders = ['docs', 'paths', 'stacks']
const topFiles = ['README.md', 'CLAUDE.md']
const maxListed = 500

export const document = defineResource(
  {
    name: 'document',
    description:
      'A document of the repository, as text: a file under docs/, paths/ or stacks/, README.md or CLAUDE.md.',
    uriTemplate: 'learning://documents/{+path}',
    variables: { path: 'Relative path from repo root' },
    errors: [readErrors.notFile, readErrors.invalid, readErrors.notText, readErrors.denied, readErrors.tooLarge, readErrors.failed], // biome-ignore format: one line
    limits: { outputBytes: maxOutputBytes },
    effects: { reads: ['path'], returns: ['private'] },
    examples: [
      {
        given: { files: { 'docs/intro.md': '# Start here\n' } },
        input: { path: 'docs/intro.md' },
        output: {
          contents: [{ uri: 'learning://documents/docs/intro.md', mimeType: 'text/markdown', text: '# Start here\n' }],
        },
      },
      { title: 'A file that is denied', input: { path: 'docs/.env' }, error: 'access_denied' },
      { title: 'A file that does not exist', input: { path: 'docs/missing.md' }, error: 'resource_not_found' },
    ],
  },
  async ({ path }, { signal }, { files }: { files: Files; search: Search }) => {
    const read = await readRepoFile(files, { path, signal }, openFiles)
    if (!(read instanceof ToolError)) return { mimeType: toTextType(path), text: read.content }
    return read.code === 'file_not_found' ? undefined : read
  },
  {
    needs: ['files', 'search'],
    async list(_cursor, { signal }, { files, search }) {
      const tops = await Promise.all(topFiles.map((path) => files.stat(path).then(({ kind }) => kind === 'file', () => false))) // biome-ignore format: one line
      const pattern = `{${folders.join(',')}}/**`
      const found = await search.findFiles({ pattern, base: '.', maxResults: maxListed, timeoutMs: 5000, signal })
      return [...topFiles.filter((_, index) => tops[index]), ...found.paths.filter(isOpen)].map(toListed)
    },
    complete: {
      async path(typed, _known, { files }) {
        const found = typed.includes('..')
          ? []
          : await completePath(files, typed, (path) => path === '.' || isOpen(path))
        return found.filter((path) => topFiles.includes(path) || isOpen(path))
      },
    },
  },
)

/** What may be shown by name. Reading checks it again, and follows links. */
function isOpen(path: string): boolean {
  const [first = '', ...names] = path.split('/')
  return folders.includes(first) && !names.some((name) => /^(?:secrets$|\.env|\.git$)/i.test(name))
}

function toListed(path: string): ListedResource {
  const uri = `learning://documents/${path.split('/').map(encodeURIComponent).join('/')}`
  return { uri, name: path, mimeType: toTextType(path) }
}
