import { describe, expect, test } from 'vitest'
import { maxEvidence, type Storage } from '../../src/runtime/storage/storage.ts'

/** What evidence must do in every storage. Part of `testStorage`. */
export function testEvidence(name: string, openNew: () => Promise<Storage>) {
  describe(`the evidence in ${name}`, () => {
    test('is given for the call that it was kept for, and for no other', async () => {
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

    test(`is kept of the newest ${maxEvidence} calls`, async () => {
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

    test('can be neither kept nor read once the storage is closed', async () => {
      const storage = await openNew()
      await storage.close()
      await expect(storage.evidence.keep('1', 'text')).rejects.toThrow(/The storage is closed/)
      await expect(storage.evidence.get('1')).rejects.toThrow(/The storage is closed/)
    })
  })
}
