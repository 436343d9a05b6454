import { defineToolset } from '../../contract/define-toolset.ts'
import { lazily } from '../../contract/lazily.ts'
import { openHistory } from './capability/history.ts'
import { createDirectory } from './create-directory.ts'
import { createFile } from './create-file.ts'
import { fetchWebpage, type LargePages } from './fetch-webpage.ts'
import { file } from './file-resource.ts'
import { fileSearch } from './file-search.ts'
import { grepSearch } from './grep-search.ts'
import { listDir } from './list-dir.ts'
import { readFile } from './read-file.ts'
import { replaceStringInFile } from './replace-string-in-file.ts'
import { runInTerminal } from './run-in-terminal.ts'
import { terminalLastCommand } from './terminal-last-command.ts'
import type { PageTextRequest } from './to-page-text.ts'

export const workspace = defineToolset(
  'workspace',
  [
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
    file,
  ],
  {
    description: 'The files, the shell and the web, for a coding agent, confined to a working directory.',
    open: (context) => ({ history: openHistory(context), largePages: openLargePages() }),
    confined: ['history', 'largePages'],
  },
)

/** Threads are loaded when a large page needs one. */
function openLargePages(): LargePages {
  const load = lazily(async () =>
    (await import('./capability/large-pages.ts')).openLargePages<PageTextRequest, string | undefined>(),
  )
  return { run: async (request, options) => (await load()).run(request, options) }
}
