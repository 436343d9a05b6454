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
  const runs = names.map((name) => showRun(name))
  // Ours once more: what differs now is the machine.
  const [first, second] = [runs[0]!.pagesPerSecond, showRun(names[0]!).pagesPerSecond]
  const noise = toNoise([first, second])
  const own = { ...runs[0]!, pagesPerSecond: (first + second) / 2 }
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
    rows: [own, ...runs.slice(1)].map(({ pagesPerSecond, memory, failed }, index) => [
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
      decideAim({ what: 'F1 of articles', least: 0.972, unit: '' }, [best!.articles.f1]),
      decideAim({ what: 'F1 of segments', least: 0.935, unit: '' }, [best!.segments.f1]),
      decideAim({ what: 'Pages per CPU-second', least: 40, unit: '' }, [first, own.pagesPerSecond, second], noise),
      decideAim({ what: 'Memory beyond the input', most: 150, unit: ' MB' }, [own.memory]),
      `Each set once by each; ours again at the end, for the noise: ${first.toFixed(1)} and ${second.toFixed(1)} pages per CPU-second.`,
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

function toCell({ f1, precision, recall }: Score): string {
  return `${f1.toFixed(3)} (${precision.toFixed(3)}, ${recall.toFixed(3)})`
}
