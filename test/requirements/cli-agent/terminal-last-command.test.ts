import { expect } from 'vitest'
import { cliAgent } from '../cli-agent.ts'
import { openStatements } from '../statements.ts'
import { describeTool, openFolder, type ToolOutput } from './describe-tool.ts'

const { statement } = openStatements(cliAgent)
const { contract, parameters, fail } = describeTool('terminal_last_command')

statement('E801', () => expect(contract.name).toBe('terminal_last_command'))
statement('E802', async () => expect((await runAndLook('echo 1; exit 3')).output).toContain('echo 1; exit 3'))
statement('E803', () => expect(parameters).toEqual({}))
statement('E804', async () => expect(await fail({})).toMatchObject({ code: 'no_history' }))
statement('E805', async () => expect(await runAndLook('echo 1')).toMatchObject({ success: true }))
statement('E806', async () =>
  expect(await runAndLook('echo 1')).toMatchObject({ output: 'Last command: echo 1\nOutput: 1\n' }),
)
statement('E807', async () => expect(await runAndLook('echo 1')).toMatchObject({ files_affected: [] }))
statement('E808', async () => expect((await runAndLook('echo 1')).execution_time_ms).toSatisfy(Number.isInteger))
statement('E809', async () => expect((await runAndLook('echo 1')).metadata).toMatchObject({ command: 'echo 1' }))
statement('E810', async () => expect((await runAndLook('exit 3')).metadata).toMatchObject({ exit_code: 3 }))
statement('E811', async () => {
  const { executed_at: at } = (await runAndLook('echo 1')).metadata
  expect(new Date(String(at)).toISOString()).toBe(at)
})
statement('E812', async () => expect(await fail({})).toMatchObject({ message: 'No previous command in this session' }))
statement('E813', () => expect(contract.risk).toBe('read_only'))

/** The last command, after another and this one. */
async function runAndLook(command: string): Promise<ToolOutput> {
  const { call } = openFolder()
  for (const each of ['echo 0', command]) await call('run_in_terminal', { command: each })
  const result = await call('terminal_last_command', {})
  expect(result).toMatchObject({ success: true })
  return (result as unknown as { output: ToolOutput }).output
}
