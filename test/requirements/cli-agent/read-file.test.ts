import { expect } from 'vitest'
import { cliAgent } from '../cli-agent.ts'
import { openStatements } from '../statements.ts'
import { describeTool } from './describe-tool.ts'

const { statement } = openStatements(cliAgent)
const { contract, parameters, required, run, fail } = describeTool('read_file')
const toLines = (count: number) => Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join('')
const ten = { path: 'hello.py', start_line: 1, end_line: 10 }
const fifty = { files: { 'hello.py': toLines(50) } }
const binary = { files: { 'a.bin': Buffer.alloc(2000, '\0A') } }

statement('E201', () => expect(contract.name).toBe('read_file'))
statement('E202', async () => expect((await run({ path: 'hello.py' }, fifty)).output).toContain(toLines(50)))
statement('E203', async () =>
  expect((await run({ path: 'hello.py', start_line: 2, end_line: 3 }, fifty)).output).toMatch(/:\nline 2\nline 3\n$/),
)
statement('E204', () => expect(parameters.path).toMatchObject({ type: 'string' }))
statement('E205', () => expect(parameters.path?.description).toBe('Relative path to the file to read'))
statement('E206', () => expect(required).toContain('path'))
statement('E207', () => expect(parameters.start_line).toMatchObject({ type: 'integer' }))
statement('E208', () =>
  expect(parameters.start_line?.description).toMatch(/^Starting line number \(1-indexed, optional/),
)
statement('E209', () => expect(required).not.toContain('start_line'))
statement('E210', () => expect(parameters.end_line).toMatchObject({ type: 'integer' }))
statement('E211', () =>
  expect(parameters.end_line?.description).toMatch(/^Ending line number \(1-indexed, inclusive, optional/),
)
statement('E212', () => expect(required).not.toContain('end_line'))
statement('E213', async () =>
  expect(await fail({ path: '../hello.py' })).toMatchObject({ code: 'path_outside_working_dir' }),
)
statement('E214', async () => expect(await fail({ path: 'hello.py' })).toMatchObject({ code: 'file_not_found' }))
statement('E215', async () => expect(await fail({ path: '.' })).toMatchObject({ code: 'not_a_file' }))
statement('E216', async () => {
  for (const start_line of [0, -1])
    expect(await fail({ path: 'hello.py', start_line }, fifty)).toMatchObject({ code: 'invalid_input' })
})
statement('E217', async () => {
  const range = { path: 'hello.py', start_line: 5 }
  expect(await fail({ ...range, end_line: 4 }, fifty)).toMatchObject({ code: 'invalid_line_range' })
  await run({ ...range, end_line: 5 }, fifty)
})
statement('E218', async () => {
  const files = { large: `${'x'.repeat(1023)}\n`.repeat(10 * 1024 + 1) }
  const { output, metadata } = await run({ path: 'large' }, { files })
  expect(output).toMatch(/^Warning: /)
  expect(metadata).toMatchObject({ truncated: true, lines_returned: 10 * 1024 })
})
statement('E219', async () => expect(await run(ten, fifty)).toMatchObject({ success: true }))
statement('E220', async () =>
  expect((await run(ten, fifty)).output).toBe(`Contents of hello.py (lines 1-10):\n${toLines(10)}`),
)
statement('E221', async () => expect(await run(ten, fifty)).toMatchObject({ files_affected: [] }))
statement('E222', async () => expect((await run(ten, fifty)).execution_time_ms).toSatisfy(Number.isInteger))
statement('E223', async () => expect((await run(ten, fifty)).metadata).toMatchObject({ total_lines: 50 }))
statement('E224', async () => expect((await run(ten, fifty)).metadata).toMatchObject({ lines_returned: 10 }))
statement('E225', async () =>
  expect((await run(ten, fifty)).metadata).toMatchObject({ file_size_bytes: toLines(50).length }),
)
statement('E226', async () =>
  expect(await fail({ path: 'missing.txt' })).toMatchObject({ message: "File 'missing.txt' not found" }),
)
statement('E227', async () =>
  expect(await fail({ path: 'a', start_line: 30, end_line: 40 }, { files: { a: toLines(20) } })).toMatchObject({
    message: 'Line range invalid - file has 20 lines, requested 30-40',
  }),
)
statement('E228', async () =>
  expect((await run({ path: 'a.bin' }, binary)).output).toMatch(
    /^Warning: File appears to be binary, displaying first 1KB as hex\n/,
  ),
)
statement('E229', async () => {
  const [, , ...lines] = (await run({ path: 'a.bin' }, binary)).output.trimEnd().split('\n')
  expect(lines).toHaveLength(1024 / 16)
  for (const line of lines) expect(line).toContain('00 41 00 41')
})
statement('E230', () => expect(contract.risk).toBe('read_only'))
