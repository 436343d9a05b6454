import { expect, test } from 'vitest'
import { cleanTurns } from '../rules/clean-turns.ts'
import { readTranscript } from './read-transcript.ts'

test('large texts crafted to be slow are read in linear time', () => {
  const pieces = ['<p ', '<p>', '( ', '♪', '>> ', '<v ', '&#', '1:00 ', '- ', ' ', '0:00\n', '{\\an', 'A-', "'1", '一']
  for (const piece of pieces) {
    for (const start of ['', '<transcript>']) {
      const begun = performance.now()
      const { turns } = readTranscript(start + piece.repeat(50_000 / piece.length))
      cleanTurns(turns)
      expect(performance.now() - begun, JSON.stringify(piece)).toBeLessThan(60_000)
    }
  }
})

test('a megabyte of repeats is cleaned in linear time', () => {
  const units = ['the ', 'ein ', 'w-we ', 'x x x y y y z ']
  for (const unit of units) {
    const begun = performance.now()
    const { turns } = cleanTurns([{ text: unit.repeat(1_000_000 / unit.length), apart: false }])
    expect(turns).toHaveLength(1)
    // A quadratic search would take minutes.
    expect(performance.now() - begun, unit).toBeLessThan(60_000)
  }
}, 120_000)
