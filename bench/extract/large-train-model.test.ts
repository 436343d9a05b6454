import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { hasSets } from './read-sets.ts'
import { digestSmall } from './train-model.ts'

const source = readFileSync(new URL('../../src/toolsets/web/extract/block-model.ts', import.meta.url), 'utf8')

test.skipIf(!hasSets())('the shipped model is what the training script writes (needs ../shared/data)', () => {
  const message = 'Features, labels or training have changed: run node scripts/train-block-model.ts'
  expect(source, message).toContain(`Small model of the same code and pages: ${digestSmall()}`)
})
