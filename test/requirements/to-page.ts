import { toAnchor } from '../documents/document-checks.ts'
import type { Group, RequirementsDocument, Statement } from './requirement.ts'

/** The text of docs/requirements.md. */
export function toPage(documents: readonly RequirementsDocument[], decisionFiles: readonly string[]): string {
  return [introduction(documents), ...documents.map((document) => toSection(document, decisionFiles))].join('\n')
}

/** The file and the title of a test that a statement names. */
export function toTest(text: string): { readonly file: string; readonly title: string } {
  const end = text.indexOf(': ')
  return { file: text.slice(0, end), title: text.slice(end + 2) }
}

function introduction(documents: readonly RequirementsDocument[]): string {
  const count = documents.flatMap(toStatements).length
  const rows = documents.map((document) => {
    const statements = toStatements(document)
    const ids = `${statements[0]?.id} to ${statements.at(-1)?.id}`
    return `| [${document.title}](#${toAnchor(document.title)}) | ${ids} | ${statements.length} |`
  })
  return `# Requirements

Toolpact was made after documents that describe tools and how they must behave. This page lists the ${count} statements that
they make: each in our own words, where to find it in Toolpact, and the tests that check it. Where Toolpact deliberately does something else,
or more, the decision record gives the reason. A test fails if a statement has neither a test nor a decision.

\`npm test\` runs all tests that are named here. A test that is called like its row is written for that row alone. Rows about schemas are checked in
the contracts; that every call keeps to the schemas is checked by [scenarios that come from the contracts](adding-a-tool.md#test-it). \`npm run generate\` writes this page from the tables in \`test/requirements/\`.

| document | statements | count |
|---|---|--:|
${rows.join('\n')}
`
}

function toSection({ title, about, names, groups }: RequirementsDocument, decisionFiles: readonly string[]): string {
  const rows = names?.map(([theirs, here]) => `| ${theirs} | ${here} |`)
  const other = rows ? [`| in the document | here |\n|---|---|\n${rows.join('\n')}\n`] : []
  return [`## ${title}\n\n${about}\n`, ...other, ...groups.map((group) => toTable(group, decisionFiles))].join('\n')
}

function toTable({ title, statements }: Group, decisionFiles: readonly string[]): string {
  const rows = statements.map(
    (statement) =>
      `| ${statement.id} | ${statement.says} | ${statement.where} | ${toEvidence(statement, decisionFiles)} |`,
  )
  return `### ${title}\n\n| | the document asks | where | tests and decisions |\n|---|---|---|---|\n${rows.join('\n')}\n`
}

function toEvidence({ tests = [], decision = [] }: Statement, decisionFiles: readonly string[]): string {
  const links = [
    ...tests.map(toTest).map(({ file, title }) => `[${escapeTitle(title)}](../${file})`),
    ...decision.map((number) => {
      const file = decisionFiles.find((name) => name.startsWith(`${number}-`))
      return `[decision ${number}](decisions/${file})`
    }),
  ]
  return links.join('<br>')
}

function escapeTitle(title: string): string {
  return title.replace(/[[\]|<>\\`*$]/g, '\\$&')
}

export function toStatements({ groups }: RequirementsDocument): Statement[] {
  return groups.flatMap(({ statements }) => statements)
}
