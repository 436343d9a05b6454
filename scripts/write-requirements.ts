/** Writes docs/requirements.md from the tables in test/requirements. */
import { readdirSync, writeFileSync } from 'node:fs'
import { documents } from '../test/requirements/documents.ts'
import { toPage } from '../test/requirements/to-page.ts'

const decisions = readdirSync(new URL('../docs/decisions/', import.meta.url))
writeFileSync(new URL('../docs/requirements.md', import.meta.url), toPage(documents, decisions))
