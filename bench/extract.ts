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
import { decideAim, toNoise } from './noise.ts'
import { quantile } from './print-table.ts'
import type { About, Table } from './table.ts'

export const about: About = {
  compares:
    'Text and metadata of two sets of annotated pages by our extractor, beside other libraries, each in a process of its own.',
  peers: Object.keys(contenders).slice(1),
}

export async function* bench(): AsyncGenerator<Table> {
  if (!hasSets()) return console.log(`\n${howToGetSets}`)
  const articles = readArticles()
  const segments = readSegments()
  const names = Object.keys(contenders)
  const [ownName, ...others] = names
  // Ours runs before, between and after the others: differences between these runs show noise and garbage collection.
  const rounds = [showRun(ownName!)]
  const runs = others.map((name) => {
    const run = showRun(name)
    rounds.push(showRun(ownName!))
    return run
  })
  const speeds = rounds.map(({ pagesPerSecond }) => pagesPerSecond)
  const memories = rounds.map(({ memory }) => memory)
  const own = { ...rounds[0]!, pagesPerSecond: quantile(speeds, 0.5), memory: Math.max(...memories) }
  const noise = toNoise(speeds)
  runs.unshift(own)
  const scores = runs.map((run) => {
    const pages = segments.map((page) => ({ expected: page.metadata, found: run.segments[page.id]! }))
    return {
      articles: scoreArticles(
        articles.map(({ id, articleBody }) => ({ expected: articleBody, found: run.articles[id]!.text })),
      ),
      segments: scoreSegments(segments.map((page) => ({ ...page, found: run.segments[page.id]!.text }))),
      metadata: metadataFields.map((field) => scoreMetadata(pages, field)),
    }
  })
  const [best] = scores
  yield {
    title: 'Text: F1 (precision, recall)',
    heading: [
      '',
      `${articles.length} articles`,
      `${segments.length} segments`,
      'pages/CPU-s',
      'ratio',
      'memory',
      'failed',
    ],
    rows: runs.map(({ pagesPerSecond, memory, failed }, index) => [
      names[index]!,
      toCell(scores[index]!.articles),
      toCell(scores[index]!.segments),
      pagesPerSecond.toFixed(1),
      `${(pagesPerSecond / own.pagesPerSecond).toFixed(2)}×`,
      `${Math.round(memory)} MB`,
      String(failed),
    ]),
    noise,
    notes: [
      decideAim({ what: 'F1 of articles that it learned from', least: 0.972, unit: '' }, [best!.articles.f1]),
      decideAim({ what: 'F1 of segments that it learned from', least: 0.935, unit: '' }, [best!.segments.f1]),
      decideAim({ what: 'Pages per CPU-second', least: 40, unit: '' }, speeds, noise),
      decideAim({ what: 'Memory beyond the input, in the worst round,', most: 150, unit: ' MB' }, [own.memory]),
      `Ours had ${rounds.length} rounds, before, between and after the others: ${toList(speeds, 1)} pages per CPU-second, ${toList(memories, 0)} MB. The others had one.`,
      'Memory is what the process takes from the system at most while it extracts from one page after the other, beyond the bytes of all pages. Most of it is garbage that V8 has not collected yet; in one run of ten, on a busy machine, ours took 250 MB: see [profiles](profiles/extraction.md).',
      'Which blocks of a page are text, ours learned from these very pages. `node scripts/train-block-model.ts` tells how well it does on pages of sites that it has not seen.',
    ],
  }
  const [, author, date] = best!.metadata
  yield {
    title: 'Metadata: share right (invented where there is none, per 990 pages)',
    heading: ['', ...metadataFields],
    rows: scores.map(({ metadata }, index) => [
      names[index]!,
      ...metadata.map(({ right, invented }) => `${right.toFixed(3)} (${invented.toFixed(0)})`),
    ]),
    notes: [
      decideAim({ what: 'Authors', least: 0.65, unit: '' }, [author!.right]),
      decideAim({ what: 'Invented authors', most: 59, unit: '' }, [author!.invented]),
      decideAim({ what: 'Dates', least: 0.82, unit: '' }, [date!.right]),
      decideAim({ what: 'Invented dates', most: 59, unit: '' }, [date!.invented]),
    ],
  }
}

function showRun(name: string): Run {
  console.log(`Extracting by ${name} …`)
  return runContender(name)
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

function toList(values: readonly number[], digits: number): string {
  return values.map((value) => value.toFixed(digits)).join(', ')
}

function toCell({ f1, precision, recall }: Score): string {
  return `${f1.toFixed(3)} (${precision.toFixed(3)}, ${recall.toFixed(3)})`
}
