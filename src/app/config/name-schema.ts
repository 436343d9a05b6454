/** A string that is not empty: names, paths, hosts. */
export const name = { type: 'string', minLength: 1 } as const
