import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { contenders } from './extract/contenders.ts'
import { hasSets, howToGetSets, readArticles, readSegments } from './extract/read-sets.ts'
import type { Run } from './extract/run-contender.ts'
import type { Score } from './extract/score.ts'
import { scoreArticles } from './extract/score-articles.ts'
import { metadataFields, scoreMetadata } from './extract/score-metadata.ts'
import { scoreSegments } from './extract/score-segments.ts'
import { printTable } from './print-table.ts'

/** Text and metadata of two sets of annotated pages, by our extractor and by others, each in a process of its own. */
export async function bench() {
  if (!hasSets()) return console.log(`\n${howToGetSets}`)
  const articles = readArticles()
  const segments = readSegments()
  const texts: string[][] = []
  const metadata: string[][] = []
  for (const name of Object.keys(contenders)) {
    const run = runContender(name)
    const ofArticles = scoreArticles(
      articles.map(({ id, articleBody }) => ({ expected: articleBody, found: run.articles[id]!.text })),
    )
    const ofSegments = scoreSegments(segments.map((page) => ({ ...page, found: run.segments[page.id]!.text })))
    const pages = segments.map((page) => ({ expected: page.metadata, found: run.segments[page.id]! }))
    texts.push([
      name,
      toCell(ofArticles),
      toCell(ofSegments),
      run.pagesPerSecond.toFixed(1),
      `${Math.round(run.memory)} MB`,
      String(run.failed),
    ])
    metadata.push([
      name,
      ...metadataFields.map((field) => {
        const { right, invented } = scoreMetadata(pages, field)
        return `${right.toFixed(3)} (${invented.toFixed(0)})`
      }),
    ])
  }
  printTable(
    'Text: F1 (precision, recall); aims: 0.972, 0.935, 40 pages per CPU-second, 150 MB',
    ['', `${articles.length} articles`, `${segments.length} segments`, 'pages/CPU-s', 'memory', 'failed'],
    texts,
  )
  printTable(
    'Metadata: share right (invented where there is none, per 990 pages); aims: author 0.65 (60), date 0.82 (60)',
    ['', ...metadataFields],
    metadata,
  )
}

function runContender(name: string): Run {
  const folder = mkdtempSync(join(tmpdir(), 'toolpact-bench-'))
  try {
    const file = join(folder, 'run.json')
    const script = fileURLToPath(new URL('extract/run-contender.ts', import.meta.url))
    execFileSync(process.execPath, [script, name, file], { stdio: ['ignore', 'inherit', 'inherit'] })
    return JSON.parse(readFileSync(file, 'utf8'))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function toCell({ f1, precision, recall }: Score): string {
  return `${f1.toFixed(3)} (${precision.toFixed(3)}, ${recall.toFixed(3)})`
}
