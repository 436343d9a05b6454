/** Writes docs/api.md from the declarations of the package's entry points. */
import { writeFileSync } from 'node:fs'
import { readApi, toApiPage } from './api-page.ts'

writeFileSync(new URL('../docs/api.md', import.meta.url), toApiPage(await readApi()))
