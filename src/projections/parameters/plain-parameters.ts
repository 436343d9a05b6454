import type { JsonObject } from '../../contract/json.ts'
import type { NoteLoss } from '../projection.ts'
import { mapSchema } from './map-schema.ts'

/**
 * The parameters as they are told to a model that need not keep to them: without what it cannot use. It sees which
 * properties there are, and it does not count characters; both are checked when it calls.
 */
export function toPlainParameters(schema: JsonObject, note: NoteLoss): JsonObject {
  return mapSchema(schema, '/input', (part, pointer) => {
    const { $schema: _schema, $id: _id, $comment: _comment, ...kept } = part
    for (const keyword of ['minLength', 'maxLength']) {
      if (kept[keyword] === undefined) continue
      delete kept[keyword]
      note(pointer, keyword, 'Left out; the length is checked when the tool is called.')
    }
    for (const keyword of ['additionalProperties', 'unevaluatedProperties']) {
      if (kept[keyword] !== false) continue
      delete kept[keyword]
      note(pointer, keyword, 'Left out; undeclared properties are refused when the tool is called.')
    }
    return kept
  }) as JsonObject
}
