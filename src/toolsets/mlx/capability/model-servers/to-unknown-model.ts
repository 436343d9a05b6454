import { printable } from '../../../../contract/text/printable.ts'
import { ToolError } from '../../../../contract/tool-error.ts'

export function toUnknownModel(model: string, why: string): ToolError {
  return new ToolError('model_not_found', `The model ${printable(model)} was not found.${why}`, {
    suggestion: 'Check the name of the model, or download it first.',
  })
}

/** Whether output of a server or of mlxctl means that the model does not exist. Other missing files do not count. */
export function isUnknownModel(words: string, model: string): boolean {
  return words.split('\n').some((line) => always.test(line) || (line.includes(model) && where.test(line)))
}

const always =
  /repository not found|repositorynotfound|incorrect path_or_model_id|not a valid model|unknown model|model(?: was)? not found|no such model|failed to open gguf/i
const where = /not found|no such file|does not exist|404/i
