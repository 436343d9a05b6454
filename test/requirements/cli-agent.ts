import { commonPatterns } from './cli-agent/common-patterns.ts'
import { createDirectory } from './cli-agent/create-directory.ts'
import { createFile } from './cli-agent/create-file.ts'
import { everyTool } from './cli-agent/every-tool.ts'
import { fetchWebpage } from './cli-agent/fetch-webpage.ts'
import { fileSearch } from './cli-agent/file-search.ts'
import { grepSearch } from './cli-agent/grep-search.ts'
import { listDir } from './cli-agent/list-dir.ts'
import { modelsAndTests } from './cli-agent/models-and-tests.ts'
import { readFile } from './cli-agent/read-file.ts'
import { replaceStringInFile } from './cli-agent/replace-string-in-file.ts'
import { runInTerminal } from './cli-agent/run-in-terminal.ts'
import { terminalLastCommand } from './cli-agent/terminal-last-command.ts'
import type { RequirementsDocument } from './requirement.ts'

export const cliAgent: RequirementsDocument = {
  title: 'Tool API Contracts (001-cli-agent)',
  about:
    'Ten tools for a coding agent, and how they are validated, approved, shown and tested. They are the toolset [`workspace`](tools.md#workspace).',
  names: [
    [
      '`Name()`, `Description()`, `ParametersSchema()`',
      '`name`, `description`, `input` in [the contract](contract.md#fields)',
    ],
    ['`RequiresApproval()`, `RiskLevel()`', '`approval`, `risk` in [the contract](contract.md#fields)'],
    ['`Validate(params, workingDir)`', 'the input schema, then [`validate`](contract.md#validate)'],
    [
      '`Execute(params, workingDir)`',
      '[`run`](contract.md#run); callers use `toolpact.call(tool, input)` or [`toolpact call`](cli.md#call)',
    ],
    ['`ToolResult`', 'the output of a tool, [tools.md](tools.md#workspace)'],
    ['`ToolError`', '[errors](errors.md)'],
    ['approval rule', '[rules](rules.md)'],
  ],
  groups: [
    everyTool,
    createFile,
    readFile,
    replaceStringInFile,
    listDir,
    fileSearch,
    grepSearch,
    runInTerminal,
    terminalLastCommand,
    createDirectory,
    fetchWebpage,
    ...commonPatterns,
    ...modelsAndTests,
  ],
}
