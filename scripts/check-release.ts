/** `node scripts/check-release.ts v1.2.3`: checks that package.json and CHANGELOG.md are ready for the release of this tag. */
import { readFileSync } from 'node:fs'

const tag = process.argv[2] ?? ''
const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
const sections = readSections(readFileSync('CHANGELOG.md', 'utf8'))
const problems: string[] = []
if (tag !== `v${version}`)
  problems.push(
    `The tag is "${tag}", and package.json has version ${version}. Tag the commit as v${version}, or run npm version.`,
  )
if (!sections.get(version)?.includes('- '))
  problems.push(`CHANGELOG.md has no changes under "## ${version}". Rename "## Unreleased" to "## ${version}".`)
if (sections.get('Unreleased')?.trim())
  problems.push(`CHANGELOG.md still has changes under "## Unreleased". Move them under "## ${version}".`)
for (const problem of problems) console.error(problem)
process.exitCode = problems.length > 0 ? 1 : 0

/** Sections by the first word of their heading: `## 1.2.3 (2026-11-17)` is `1.2.3`. */
function readSections(changelog: string): Map<string, string> {
  const parts = changelog.split(/^## (\S+).*$/m).slice(1)
  return new Map(parts.flatMap((part, i) => (i % 2 === 0 ? [[part, parts[i + 1] ?? '']] : [])))
}
