/** Writes docs/decisions/README.md, the index of the decision records; with --check, fails if it is out of date. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

const { values, positionals } = parseArgs({ allowPositionals: true, options: { check: { type: 'boolean' } } })
const folder = positionals[0] ?? 'docs/decisions'
const files = readdirSync(folder).filter((file) => file !== 'README.md')
const page = toPage(files.sort().map(readRecord))
const path = join(folder, 'README.md')
if (!values.check) writeFileSync(path, page)
else if (readFileSync(path, 'utf8') !== page) {
  console.error(`${path} is out of date. Run npm run generate.`)
  process.exitCode = 1
}

interface DecisionRecord {
  readonly file: string
  readonly number: string
  readonly title: string
  readonly status: string
}

function readRecord(file: string): DecisionRecord {
  const text = readFileSync(join(folder, file), 'utf8')
  const [, number = '', title = ''] = /^# (\d{4}):? (.+)/.exec(text) ?? []
  if (!file.startsWith(`${number}-`) || !title)
    throw new Error(`${join(folder, file)}: the first line must be "# ${file.slice(0, 4)}: TITLE"`)
  if (files.filter((other) => other.startsWith(`${number}-`)).length > 1)
    throw new Error(`${join(folder, file)}: another record has the number ${number}; rename one of them`)
  return { file, number, title, status: readStatus(file, text) }
}

/** `accepted`, unless the record has `**Status.** Superseded by 0123.` */
function readStatus(file: string, text: string): string {
  const line = /^\*\*Status\.\*\*(.*)$/m.exec(text)?.[1]?.trim()
  if (line === undefined) return 'accepted'
  const successor = /^Superseded by (\d{4})\.$/.exec(line)?.[1]
  const target = files.find((other) => successor !== undefined && other.startsWith(`${successor}-`))
  if (!target || target === file)
    throw new Error(
      `${join(folder, file)}: write "**Status.** Superseded by NUMBER." with the number of another record`,
    )
  return `superseded by [${successor}](${target})`
}

function toPage(records: readonly DecisionRecord[]): string {
  const rows = records.map(({ file, number, title, status }) => `| [${number}](${file}) | ${title} | ${status} |\n`)
  return `# Decisions

Why things are the way they are, where there was a real alternative. A record is not rewritten when a later one replaces it: it gets the line
\`**Status.** Superseded by NUMBER.\` below its title. This page is generated: \`npm run generate\`.

| number | title | status |
|---|---|---|
${rows.join('')}`
}
