import assert from 'node:assert/strict'

/** The assertions of the suite, on `node:assert`, so that the suite runs under any test runner. */
export function expect(value: unknown, message?: string) {
  return {
    toBe: (expected: unknown) => assert.equal(value, expected, message),
    toBeUndefined: () => assert.equal(value, undefined, message),
    toBeNull: () => assert.equal(value, null, message),
    toEqual: (expected: unknown) => assert.deepEqual(toPlain(value), toPlain(expected), message),
    toMatchObject: (expected: object) => assert.partialDeepStrictEqual(toPlain(value), toPlain(expected), message),
    toHaveLength: (length: number) => assert.equal((value as { length: number }).length, length, message),
    toHaveProperty(name: string, expected: unknown) {
      assert.deepEqual(toPlain((value as { [name: string]: unknown } | undefined)?.[name]), toPlain(expected), message)
    },
    /** Expects a promise that rejects with an error of this `code`. */
    toRejectWith: (code: string) =>
      assert.rejects(value as Promise<unknown>, (error: { code?: string; message?: string }) => {
        assert.equal(error.code, code, `expected an error with the code ${code}, and got: ${error.message}`)
        return true
      }),
  }
}

/** Drops differences that no caller notices: prototypes, undefined properties, a Buffer in place of a Uint8Array. */
function toPlain(value: unknown): unknown {
  if (value instanceof Uint8Array) return Uint8Array.from(value)
  if (Array.isArray(value)) return value.map(toPlain)
  if (value instanceof Map) return new Map([...value].map(([key, each]) => [key, toPlain(each)]))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, each]) => (each === undefined ? [] : [[key, toPlain(each)]])),
  )
}
