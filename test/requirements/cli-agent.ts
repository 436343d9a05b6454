import { createDirectory } from './cli-agent/create-directory.ts'
import { createFile } from './cli-agent/create-file.ts'
import { fetchWebpage } from './cli-agent/fetch-webpage.ts'
import { fileSearch } from './cli-agent/file-search.ts'
import { grepSearch } from './cli-agent/grep-search.ts'
import { listDir } from './cli-agent/list-dir.ts'
import { readFile } from './cli-agent/read-file.ts'
import { replaceStringInFile } from './cli-agent/replace-string-in-file.ts'
import { runInTerminal } from './cli-agent/run-in-terminal.ts'
import { terminalLastCommand } from './cli-agent/terminal-last-command.ts'
import type { RequirementsDocument } from './requirement.ts'

export const cliAgent: RequirementsDocument = {
  title: 'Tool API Contracts (001-cli-agent)',
  about:
    'Ten tools for a coding agent, and how they are validated, approved, shown and tested. They are the toolset [`workspace`](tools.md#workspace).',
  groups: [
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
  ],
}
