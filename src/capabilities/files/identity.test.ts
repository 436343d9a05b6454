import { expect, test } from 'vitest'
import { isSameFile } from './identity.ts'

const file = { device: 1n, inode: 2n, size: 3, modifiedNs: 4n, digest: 'abc' }

test.each([{ device: 9n }, { inode: 9n }, { size: 9 }, { modifiedNs: 9n }, { digest: 'abd' }])(
  'a file with another %o is not the file that was read',
  (changed) => {
    expect(isSameFile(file, { ...file })).toBe(true)
    expect(isSameFile(file, { ...file, ...changed })).toBe(false)
  },
)
