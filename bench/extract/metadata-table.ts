import { parseHtml } from '../../src/tool-parts/html/parse-html.ts'
import { readMetadata } from '../../src/toolsets/web/extract/metadata/read-metadata.ts'
import { decideAim } from '../noise.ts'
import type { Table } from '../table.ts'
import type { SegmentsPage, WholePage } from './read-sets.ts'
import type { Run } from './run-contender.ts'
import { metadataFields, scoreMetadata } from './score-metadata.ts'

interface MetadataOf {
  readonly set: 'segments' | 'pages'
  readonly all: readonly (SegmentsPage | WholePage)[]
  readonly sampled: readonly (SegmentsPage | WholePage)[]
  readonly runs: readonly Run[]
  readonly names: readonly string[]
}

/** Title, author and date by ours on every page of a set, and by all contenders on those that they read. */
export function toMetadataTable({ set, all, sampled, runs, names }: MetadataOf): Table {
  // Ours is cheap enough for every page. The few that the peers read give a noisy score.
  const ours = all.map((page) => {
    const { title, byline, publishedAt } = readMetadata(parseHtml(page.readHtml()), page)
    return { expected: page.metadata, found: { title, author: byline, date: publishedAt } }
  })
  const [, author, date] = metadataFields.map((field) => scoreMetadata(ours, field))
  const toRow = (name: string, found: Parameters<typeof scoreMetadata>[0]) => [
    name,
    String(found.length),
    ...metadataFields.map((field) => {
      const { right, invented } = scoreMetadata(found, field)
      return `${right.toFixed(3)} (${invented.toFixed(0)})`
    }),
  ]
  const annotated = all.filter(({ metadata }) => metadata !== undefined).length
  return {
    title: `Metadata of ${set === 'pages' ? 'pages of all kinds (WCXB)' : 'segments'}: share right (invented where there is none, per 990 pages)`,
    heading: ['', 'pages', ...metadataFields],
    rows: [
      toRow(`${names[0]}, all pages`, ours),
      ...runs.map((run, index) =>
        toRow(
          names[index]!,
          sampled.map((page) => ({ expected: page.metadata, found: run[set][page.id]! })),
        ),
      ),
    ],
    notes: [
      ...(set === 'segments'
        ? [
            decideAim({ what: 'Authors', least: 0.72, unit: '' }, [author!.right]),
            decideAim({ what: 'Invented authors', most: 45, unit: '' }, [author!.invented]),
            decideAim({ what: 'Dates', least: 0.9, unit: '' }, [date!.right]),
            decideAim({ what: 'Invented dates', most: 45, unit: '' }, [date!.invented]),
          ]
        : []),
      `The first row is ours on every page, of which ${annotated} have annotated metadata; the others are on every fifth page, the same for all. An author is right if all names are, in their order; a date, if its day is.`,
    ],
  }
}
