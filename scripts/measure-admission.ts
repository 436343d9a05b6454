/** Writes the tables of docs/admission.md from the code and, if available, the definitions of real servers. */
import { readFileSync, writeFileSync } from 'node:fs'
import { measureAll, toMeasured, toTables } from '../test/documents/admission-document.ts'
import { hasDefinitions } from '../test/helpers/measure-admission.ts'
import { fillSections } from './page-sections.ts'

const file = new URL('../docs/admission.md', import.meta.url)
const sections = { ...toTables(), ...(hasDefinitions && toMeasured(await measureAll())) }
writeFileSync(file, fillSections('docs/admission.md', readFileSync(file, 'utf8'), sections))
