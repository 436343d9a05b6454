import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { contenders } from './extract/contenders.ts'
import { folds, type Lesson, readLessons } from './extract/lessons.ts'
import { toMetadataTable } from './extract/metadata-table.ts'
import { hasSets, howToGetSets, isSampled, kinds, readArticles, readPages, readSegments } from './extract/read-sets.ts'
import type { Run } from './extract/run-contender.ts'
import type { Score } from './extract/score.ts'
import { scoreArticles } from './extract/score-articles.ts'
import { scorePages } from './extract/score-pages.ts'
import { scoreSegments } from './extract/score-segments.ts'
import { scoreTexts } from './extract/score-texts.ts'
import { extractUnseen } from './extract/train-model.ts'
import { decideAim, toNoise } from './noise.ts'
import { quantile } from './print-table.ts'
import type { About, Table } from './table.ts'

export const about: About = {
  compares:
    'Text and metadata of three sets of annotated pages by our extractor, beside other libraries, each in a process of its own.',
  peers: Object.keys(contenders).slice(1),
}

export async function* bench(): AsyncGenerator<Table> {
  if (!hasSets()) return console.log(`\n${howToGetSets}`)
  console.log('Training on four fifths of the sites, five times …')
  const lessons = readLessons()
  const unseen = extractUnseen(lessons, (fold) => console.log(`Fold ${fold + 1} of ${folds} is read.`))
  const scores = scoreTexts(unseen)
  const single = Array.from({ length: folds }, (_, fold) =>
    scoreTexts(unseen.filter(({ lesson }) => lesson.fold === fold)),
  )
  const toRange = (set: 'articles' | 'segments' | 'pages') => {
    const scores = single.map((fold) => fold[set].f1)
    return `${Math.min(...scores).toFixed(3)}–${Math.max(...scores).toFixed(3)}`
  }
  yield {
    title: 'Text on unseen sites: F1 (precision, recall)',
    heading: ['', 'all folds', 'worst and best fold'],
    rows: [
      [`${count(unseen, 'articles')} articles`, toCell(scores.articles), toRange('articles')],
      [`${count(unseen, 'segments')} segments`, toCell(scores.segments), toRange('segments')],
      [`${count(unseen, 'pages')} pages of all kinds (WCXB)`, toCell(scores.pages), toRange('pages')],
    ],
    notes: [
      decideAim({ what: 'F1 of articles', least: 0.972, unit: '' }, [scores.articles.f1]),
      decideAim({ what: 'F1 of segments', least: 0.942, unit: '' }, [scores.segments.f1]),
      decideAim({ what: 'F1 of pages of all kinds', least: 0.89, unit: '' }, [scores.pages.f1]),
      `Cross-validated: the sites are in ${folds} folds by their registrable domain, and each page is read by a model that has learned from the other folds only. Causes of errors were studied on all folds, so that the sites were unseen by the models, and not by those who wrote the rules.`,
      'Pages of WCXB without annotated content, about twenty, are left out for all: no text of them could be right.',
    ],
  }

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
  // The shipped model has learned from these very pages, so for the text ours is the cross-validated one.
  const texts = new Map(unseen.map(({ lesson, text }) => [lesson.page.id, text]))
  const articles = readArticles().filter(isSampled)
  const segments = readSegments().filter(isSampled)
  const pages = readPages().filter(isSampled)
  const textOf = (run: Run, set: 'articles' | 'segments' | 'pages', id: string) =>
    run === own ? texts.get(id)! : run[set][id]!.text
  yield {
    title: 'Text beside other libraries: F1 (precision, recall)',
    heading: [
      '',
      `${articles.length} articles`,
      `${segments.length} segments`,
      `${pages.length} pages`,
      'pages/CPU-s',
      'ratio',
      'memory',
      'failed',
    ],
    rows: runs.map((run, index) => [
      names[index]!,
      toCell(
        scoreArticles(
          articles.map(({ id, articleBody }) => ({ expected: articleBody, found: textOf(run, 'articles', id) })),
        ),
      ),
      toCell(scoreSegments(segments.map((page) => ({ ...page, found: textOf(run, 'segments', page.id) })))),
      toCell(scorePages(pages.map(({ id, content }) => ({ expected: content, found: textOf(run, 'pages', id) })))),
      run.pagesPerSecond.toFixed(1),
      `${(run.pagesPerSecond / own.pagesPerSecond).toFixed(2)}×`,
      `${Math.round(run.memory)} MB`,
      String(run.failed),
    ]),
    noise,
    notes: [
      decideAim({ what: 'Pages per CPU-second', least: 60, unit: '' }, speeds),
      decideAim({ what: 'Memory beyond the input, in the worst round,', most: 150, unit: ' MB' }, [own.memory]),
      `Ours had ${rounds.length} rounds, before, between and after the others: ${toList(speeds, 1)} pages per CPU-second, ${toList(memories, 0)} MB. The others had one.`,
      'Every fifth page of each set, in its order. Speed and memory of ours are those of the shipped model; its texts are cross-validated as above.',
      'All texts have a line for each block before they are compared. Memory is what the process takes from the system at most while it extracts from one page after the other, beyond the bytes of all pages. Most of it is garbage that V8 has not collected yet: see [profiles](profiles/extraction.md).',
    ],
  }
  yield {
    title: 'Pages of all kinds: F1',
    heading: ['', ...kinds.map((kind) => `${pages.filter((page) => page.kind === kind).length} ${kind}`)],
    rows: runs.map((run, index) => [
      names[index]!,
      ...kinds.map((kind) => {
        const ofKind = pages.filter((page) => page.kind === kind)
        return scorePages(
          ofKind.map(({ id, content }) => ({ expected: content, found: textOf(run, 'pages', id) })),
        ).f1.toFixed(3)
      }),
    ]),
    notes: [
      'Cross-validated on all pages, ours has ' +
        kinds
          .map(
            (kind) =>
              `${scoreTexts(unseen.filter(({ lesson: { page } }) => 'kind' in page && page.kind === kind)).pages.f1.toFixed(3)} (${kind})`,
          )
          .join(', ') +
        '.',
    ],
  }
  yield toMetadataTable({ set: 'segments', all: readSegments(), sampled: segments, runs, names })
  yield toMetadataTable({ set: 'pages', all: readPages(), sampled: pages, runs, names })
}

function count(texts: readonly { lesson: Lesson }[], set: 'articles' | 'segments' | 'pages'): number {
  const key = { articles: 'articleBody', segments: 'with', pages: 'content' }[set]
  return texts.filter(({ lesson }) => key in lesson.page).length
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
