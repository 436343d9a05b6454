import { maxEvidence } from '../storage.ts'
import { expect } from './expect.ts'
import type { SuiteParts } from './suite-parts.ts'

/** Tests evidence. Part of `testStorage`. */
export function testEvidence({ describe }: SuiteParts) {
  describe('evidence', (test) => {
    test('is returned for its own call only', async (openNew) => {
      const { evidence } = await openNew()
      const text = 'it\'s "so" \u0000 \u2028 \n 🙂 é \\ \u007f'
      await evidence.keep('1', text)
      await evidence.keep('2', '')
      expect(await evidence.get('1')).toBe(text)
      expect(await evidence.get('2')).toBe('')
      expect(await evidence.get('3')).toBeUndefined()
      await evidence.keep('1', 'more')
      expect(await evidence.get('1')).toBe('more')
    })

    test(`is kept of the newest ${maxEvidence} calls`, async (openNew) => {
      const { evidence } = await openNew()
      await evidence.keep('again', 'first')
      for (let index = 0; index < maxEvidence; index++) {
        await evidence.keep(`${index}`, `text ${index}`)
        if (index === 1) await evidence.keep('again', 'second')
      }
      expect(await evidence.get('0')).toBeUndefined()
      expect(await evidence.get('1')).toBe('text 1')
      expect(await evidence.get('again')).toBe('second')
      expect(await evidence.get('2')).toBe('text 2')
      expect(await evidence.get(`${maxEvidence - 1}`)).toBe(`text ${maxEvidence - 1}`)
    })

    test('can be neither stored nor read once the storage is closed', async (openNew) => {
      const storage = await openNew()
      await storage.close()
      await expect(storage.evidence.keep('1', 'text')).toRejectWith('closed')
      await expect(storage.evidence.get('1')).toRejectWith('closed')
    })
  })
}
