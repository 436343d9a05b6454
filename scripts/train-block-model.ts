/**
 * Trains the content classifier on the annotated pages of `bench/extract/read-sets.ts` and writes it to
 * `src/toolsets/web/extract/block-model.ts`. `--check` first prints the cross-validated scores on unseen sites.
 */
import { writeFileSync } from 'node:fs'
import { readLessons } from '../bench/extract/lessons.ts'
import { scoreTexts } from '../bench/extract/score-texts.ts'
import { digestSmall, extractUnseen, toSource, trainModel } from '../bench/extract/train-model.ts'

const lessons = readLessons()
if (process.argv.includes('--check')) console.log('On unseen sites:', scoreTexts(extractUnseen(lessons)))
const source = toSource(trainModel(lessons), digestSmall())
writeFileSync(new URL('../src/toolsets/web/extract/block-model.ts', import.meta.url), source)
