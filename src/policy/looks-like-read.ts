import { isObject, type JsonValue } from '../contract/json.ts'

/** Shown with a tool whose server claims that it is read-only, unless the operator confirmed it. */
export const readClaim = 'Its server says that it only reads (readOnlyHint), which has not been confirmed.'

/**
 * Whether a tool appears to be read-only, by its annotations and name. Both are claims of the server: this sorts tools for
 * review, and takes effect only if the config lets reads run. Any sign of a write overrides signs of a read.
 *
 * `looksLikeRead('list_issues', undefined)` is true; `looksLikeRead('get_or_create_issue', { readOnlyHint: true })` is not.
 */
export function looksLikeRead(name: string, annotations: JsonValue | undefined): boolean {
  const { readOnlyHint, destructiveHint } = toHints(annotations)
  if (destructiveHint === true || readOnlyHint === false) return false
  const words = toWords(name)
  if (words.some((word) => writes.has(word))) return false
  if (readOnlyHint === true || reads.has(words[0]!)) return true
  return words.slice(1, maxVerbs).some((word) => reads.has(word)) && !words.some((word) => mayWrite.has(word))
}

interface Hints {
  readonly readOnlyHint?: JsonValue
  readonly destructiveHint?: JsonValue
  readonly openWorldHint?: JsonValue
}

/** Annotations about the effects of a tool. Untrusted: values can be of any type. */
export function toHints(annotations: JsonValue | undefined): Hints {
  return isObject(annotations) ? annotations : {}
}

/** The verb comes first, or after up to two words of a product name, as in `azure_devops_list_projects`. */
const maxVerbs = 3

/** Words of `snake_case`, `kebab-case`, `dotted.names` and `camelCase`, in lower case. */
function toWords(name: string): string[] {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
}

const reads = toSet(`
  analyze check compare count describe detect diff discover echo estimate explain fetch find get grep head inspect list
  lookup ls peek ping preview query read resolve retrieve search show stat status summarize tail test tree validate
  verify view whoami`)

/** Write verbs anywhere in a name. */
const writes = toSet(`
  add append create delete destroy drop edit exec execute insert install invoke kill modify move overwrite patch purge
  put remove rename replace send set submit truncate uninstall update upload upsert wipe write`)

/** Write verbs unless a read verb comes first: in `get_pull_request` they are nouns. */
const mayWrite = toSet(`
  accept activate allocate apply approve archive assign attach authorize backup ban batch block book build bulk buy
  cancel clear click close commit configure connect convert copy deactivate deploy detach disable disconnect dismiss
  download drag enable enqueue eval evaluate export fill fork generate grant import invite launch link load lock log
  login logout mark merge migrate navigate notify open order pause pay place post press promote provision publish pull
  purchase push reboot record refresh register reject release reload reopen reply request reset resize restart restore
  resume retry revert revoke rollback rotate run save schedule seed select share shutdown sign snapshot spawn start
  stop store subscribe suspend swap switch sync tag terminate toggle transfer trash trigger type unarchive unassign
  undo unlink unlock unpublish unsubscribe upgrade use vote`)

function toSet(words: string): ReadonlySet<string> {
  return new Set(words.trim().split(/\s+/))
}
