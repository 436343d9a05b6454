import { existsSync, realpathSync } from 'node:fs'
import { expect } from 'vitest'
import { cliAgent } from '../cli-agent.ts'
import { openStatements } from '../statements.ts'
import { describeTool } from './describe-tool.ts'

const { statement } = openStatements(cliAgent)
const { contract, parameters, required, run, fail } = describeTool('run_in_terminal')
const five = { command: 'printf "1\\n2\\n3\\n4\\n5\\n"' }

statement('E701', () => expect(contract.name).toBe('run_in_terminal'))
statement('E702', async () => expect((await run({ command: 'echo a | tr a b' })).output).toContain('\nb\n'))
statement('E703', () => expect(parameters.command).toMatchObject({ type: 'string' }))
statement('E704', () => expect(parameters.command?.description).toBe('Shell command to execute'))
statement('E705', () => expect(required).toContain('command'))
statement('E706', () => expect(parameters.timeout_seconds).toMatchObject({ type: 'integer' }))
statement('E707', () =>
  expect(parameters.timeout_seconds?.description).toMatch(/^Timeout in seconds.*\(default: 30\)$/),
)
statement('E708', () => expect(required).not.toContain('timeout_seconds'))
statement('E709', () => expect(parameters.timeout_seconds).toMatchObject({ default: 30 }))
statement('E710', async () => {
  for (const command of ['', ' \n']) expect(await fail({ command })).toMatchObject({ code: 'invalid_input' })
})
statement('E711', async () => {
  for (const timeout_seconds of [0, 301])
    expect(await fail({ ...five, timeout_seconds })).toMatchObject({ code: 'invalid_input' })
  for (const timeout_seconds of [1, 300]) await run({ ...five, timeout_seconds })
})
statement('E712', async () => {
  for (const SHELL of ['/bin/sh', '/bin/bash'].filter((path) => existsSync(path))) {
    const options = { process: { environment: { ...process.env, SHELL } } }
    expect((await run({ command: 'echo $0' }, options)).output).toContain(SHELL)
  }
})
statement('E713', async () => {
  const { root, output } = await run({ command: 'pwd' })
  expect(output).toContain(`\n${realpathSync(root)}\n`)
})
statement('E714', async () => expect(await run(five)).toMatchObject({ success: true }))
statement('E715', async () => expect(await run(five)).toMatchObject({ output: 'Command output:\n1\n2\n3\n4\n5\n' }))
statement('E716', async () => expect(await run(five)).toMatchObject({ files_affected: [] }))
statement('E717', async () => expect((await run(five)).execution_time_ms).toSatisfy(Number.isInteger))
statement('E718', async () => expect((await run(five)).metadata).toMatchObject({ exit_code: 0 }))
statement('E719', async () => expect((await run(five)).metadata).toMatchObject({ stdout_lines: 5 }))
statement('E720', async () =>
  expect((await run({ command: 'echo a >&2' })).metadata).toMatchObject({ stderr_lines: 1 }),
)
statement('E721', async () =>
  expect(await fail({ command: 'invalid_cmd' })).toMatchObject({ message: "Command 'invalid_cmd' not found" }),
)
statement('E722', async () =>
  expect(await fail({ command: 'sleep 60', timeout_seconds: 2 })).toMatchObject({
    message: 'Command timed out after 2 seconds',
  }),
)
statement('E723', async () =>
  expect(await fail({ command: 'echo bad >&2; exit 1' })).toMatchObject({
    message: 'Command failed with exit code 1:\nbad',
  }),
)
statement('E724', () => expect(contract.risk).toBe('dangerous'))
