import type { JsonValue } from '../../contract/json.ts'

/** Small persistent values by key. */
export interface Notes {
  get(key: string): Promise<JsonValue | undefined>
  /** Resolves once the value survives a crash of this process. */
  set(key: string, value: JsonValue): Promise<void>
  /** Sets the value unless there is one, and resolves to the one that counts: the same for all processes that race. */
  setOnce(key: string, value: JsonValue): Promise<JsonValue>
  /** Sets the value if it is still the one that `get` returned. False if another process has changed it. */
  replace(key: string, known: JsonValue, value: JsonValue): Promise<boolean>
}
