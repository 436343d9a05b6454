import { openPostgresStorage } from '../../src/runtime/storage/postgres/postgres.ts'

/** The Postgres engine for the storage suite, in each of its processes: a tenant for each name. Imported with `?url=ADDRESS`. */
const url = new URL(import.meta.url).searchParams.get('url') ?? ''

export const open = (name: string) => openPostgresStorage({ url, tenant: name, clock: 'caller' })
