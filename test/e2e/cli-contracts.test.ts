import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openCommandFolder } from '../helpers/run-command.ts'

const { folder, run, close } = openCommandFolder()
afterAll(close)

const notes = `# Notes

## read_note
Reads one note of the collection.
- endpoint: \`notes\`
- risk: read_only
- input_schema:
\`\`\`json
{ "type": "object", "additionalProperties": false, "properties": { "path": { "type": "string", "description": "Where" } } }
\`\`\`
- output_schema:
\`\`\`json
{ "type": "object", "additionalProperties": false, "properties": { "text": { "type": "string", "description": "What" } } }
\`\`\`
`

test.concurrent('import writes a file for each tool, and says what it took', async () => {
  write('notes.md', notes)
  const { code, stdout, stderr } = await run(['contracts', 'import', 'notes.md', '--out', 'made'])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '1 contract; wrote 1 file.\n' })
  expect(stdout).toMatch(/^3 {2}taken {4}notes\.read_note\n +Taken: description, endpoint, risk, input, output\.\n/)
  expect(JSON.parse(read('made/notes/read_note.contract.json'))).toMatchObject({ name: 'read_note', risk: 'read_only' })
  // A folder of contracts can be compared, and the same import changes nothing.
  expect((await run(['diff', 'made/notes', 'made/notes'])).code).toBe(0)
  const again = await run(['contracts', 'import', 'notes.md', '--out', 'made'])
  expect(again.stderr).toBe('1 contract; wrote 0 files, 1 unchanged.\n')
})

test.concurrent('import of a document without contracts says what a contract looks like', async () => {
  write('nothing.md', '# Notes\n\nNothing here.\n')
  const { code, stderr } = await run(['contracts', 'import', 'nothing.md'])
  expect(code).toBe(1)
  expect(stderr).toContain('No contract was found. Give each tool a heading with its name')
  expect(stderr).toContain('toolpact contracts import --help')
})

test.concurrent('import replaces nothing unasked, and writes all or none', async () => {
  write('two.md', `${notes}\n${notes.replace('read_note', 'list_notes').replace('# Notes\n', '')}`)
  mkdirSync(join(folder, 'kept/notes'), { recursive: true })
  write('kept/notes/read_note.contract.json', 'mine')
  const refused = await run(['contracts', 'import', 'two.md', '--out', 'kept'])
  expect({ code: refused.code, stdout: refused.stdout }).toEqual({ code: 2, stdout: '' })
  expect(refused.stderr).toContain('read_note.contract.json is different from the import.')
  expect(readdirSync(join(folder, 'kept/notes'))).toEqual(['read_note.contract.json'])
  expect(read('kept/notes/read_note.contract.json')).toBe('mine')
  const { code, stderr } = await run(['contracts', 'import', 'two.md', '--out', 'kept', '--replace'])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '2 contracts; wrote 2 files.\n' })
  expect(readdirSync(join(folder, 'kept/notes')).sort()).toEqual([
    'list_notes.contract.json',
    'read_note.contract.json',
  ])
})

test.concurrent('--toolset chooses or names the toolset, whose folder is the one after --out', async () => {
  write('bare.md', notes.replace('- endpoint: `notes`\n', ''))
  const bare = await run(['contracts', 'import', 'bare.md', '--toolset', 'mine', '--out', 'flat', '--json'])
  expect(JSON.parse(bare.stdout)).toMatchObject({
    contracts: [{ id: 'mine.read_note', line: 3, file: join('flat', 'read_note.contract.json') }],
    written: [join('flat', 'read_note.contract.json')],
  })
  write('named.md', notes)
  const other = await run(['contracts', 'import', 'named.md', '--toolset', 'mine', '--dry-run'])
  expect(other).toMatchObject({
    code: 1,
    stderr: 'No contract was found for this toolset. The document names: notes.\n',
  })
})

test.concurrent('--dry-run writes nothing; what is wrong makes the exit code 1', async () => {
  write('wrong.md', notes.replace('"additionalProperties": false', '"additionalProperties": maybe'))
  const { code, stdout, stderr } = await run(['contracts', 'import', 'wrong.md', '--dry-run'])
  expect({ code, stderr }).toEqual({ code: 1, stderr: '1 contract; nothing was written.\n' })
  expect(stdout).toMatch(/^ ?9 {2}error {4}notes\.read_note \/input\n +This block is not valid JSON/m)
  expect(readdirSync(folder)).not.toContain('contracts')
})

test.concurrent.each([
  [['contracts', 'imprt'], "contracts has no action 'imprt'."],
  [['contracts', 'import', 'nowhere.md'], 'There is no file nowhere.md.'],
  [['contracts', 'import', 'a.md', '--toolset', 'a/b'], "'a/b' cannot be the name of a toolset."],
])('%j is wrong usage', async (args, message) => {
  const { code, stdout, stderr } = await run(args)
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toContain(message)
})

test.concurrent('check compares documents that are declared to be living, and says where they differ', async () => {
  mkdirSync(join(folder, 'living'))
  const page = (await run(['export', 'markdown', '--toolset', 'learning'])).stdout
  write('living/tools.md', `${page}\n`)
  write('living/toolpact.json', JSON.stringify({ toolsets: ['learning'], living: ['tools.md'] }))
  const same = await run(['check', '--workspace', 'living'])
  expect(same.stdout).toContain('ok       living     tools.md: 3 tools\n')
  expect(same.code).toBe(0)

  const line = page.split('\n').findIndex((text) => text.includes('"maxLength": 100')) + 1
  write('living/tools.md', page.replace('"maxLength": 100', '"maxLength": 90').replace('### learning.read_repo_file', '### learning.gone').replace('- name: `read_repo_file`', '- name: `gone`')) // biome-ignore format: one line
  const { code, stdout } = await run(['check', '--workspace', 'living', '--json'])
  expect(code).toBe(1)
  const faults = JSON.parse(stdout).results.filter(({ check }: { check: string }) => check === 'living')
  expect(faults).toContainEqual({
    outcome: 'problem',
    check: 'living',
    subject: `tools.md:${line} learning.hello /input/properties/name/maxLength`,
    message: expect.stringMatching(/^From the document to the code: .* from 90 to 100\b/),
    fix: 'Correct the one that is wrong.',
  })
  const subjects = faults.map(({ subject }: { subject: string }) => subject.replace(/:\d+/, ''))
  expect(subjects).toContain('tools.md learning.gone')
  expect(subjects).toContain('tools.md learning.read_repo_file')

  const narrowed = await run(['check', '--workspace', 'living', '--toolset', 'learning'])
  expect(narrowed.stdout).toContain('warning  living     tools.md: not compared, because of --toolset\n')
  write('living/toolpact.json', JSON.stringify({ toolsets: ['learning'], living: ['nowhere.md'] }))
  expect((await run(['check', '--workspace', 'living'])).stdout).toContain(
    'problem  living     nowhere.md: It cannot be read.',
  )
})

function write(path: string, text: string): void {
  writeFileSync(join(folder, path), text)
}

function read(path: string): string {
  return readFileSync(join(folder, path), 'utf8')
}
