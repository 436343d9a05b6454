import type { Files } from '../../capabilities/files.ts'
import { defineResource } from '../../contract/define-resource.ts'
import { ToolError } from '../../contract/tool-error.ts'
import { toTextType } from '../../tool-parts/file-resource.ts'
import { maxOutputBytes, readErrors, readRepoFile } from '../../tool-parts/repository/read-repo-file.ts'
import { openFiles } from './open-files.ts'

const folder = '.claude/memory'
const maxListed = 200

export const memory = defineResource(
  {
    name: 'memory',
    description: 'A memory file of the learning system, as text: its progress, its decisions.',
    uriTemplate: 'learning://memory/{file}',
    variables: { file: 'Name of the memory file' },
    errors: [readErrors.notFile, readErrors.invalid, readErrors.notText, readErrors.denied, readErrors.tooLarge, readErrors.failed], // biome-ignore format: one line
    limits: { outputBytes: maxOutputBytes },
    effects: { returns: ['private'] },
    examples: [
      {
        given: { files: { '.claude/memory/decisions.jsonl': '{"type":"start"}\n' } },
        input: { file: 'decisions.jsonl' },
        output: {
          contents: [{ uri: 'learning://memory/decisions.jsonl', mimeType: 'text/plain', text: '{"type":"start"}\n' }],
        },
      },
      { title: 'A file that does not exist', input: { file: 'plans.jsonl' }, error: 'resource_not_found' },
      { title: 'Outside the memory', input: { file: '../../README.md' }, error: 'access_denied' },
    ],
  },
  async ({ file }, { signal }, { files }: { files: Files }) => {
    const read = await readRepoFile(files, { path: `${folder}/${file}`, signal }, openFiles)
    if (!(read instanceof ToolError)) return { mimeType: toTextType(file), text: read.content }
    return read.code === 'file_not_found' ? undefined : read
  },
  {
    needs: ['files'],
    async list(_cursor, _context, { files }) {
      const names = await listNames(files)
      return names.map((name) => ({
        uri: `learning://memory/${encodeURIComponent(name)}`,
        name,
        mimeType: toTextType(name),
      }))
    },
    complete: { file: async (typed, _known, { files }) => (await listNames(files)).filter((name) => name.startsWith(typed)) }, // biome-ignore format: one line
  },
)

async function listNames(files: Files): Promise<string[]> {
  // Before the first entry there is no folder.
  const listing = await files
    .list(folder, { limit: maxListed })
    .catch((error: unknown) => (error instanceof ToolError ? undefined : Promise.reject(error)))
  const entries = listing?.entries ?? []
  return entries.filter(({ name, kind }) => kind === 'file' && !name.startsWith('.')).map(({ name }) => name)
}
