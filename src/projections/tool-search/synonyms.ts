import { toWords } from './words.ts'

/** Verbs that servers use as synonyms. Nouns are excluded: which of them are synonyms depends on the server. */
const groups = [
  'get show fetch retrieve read view load list',
  'create add make new insert',
  'delete remove erase drop',
  'update modify change edit set',
  'search find query locate lookup',
  'run execute start begin',
  'send deliver post',
].map(toWords)

const synonyms = new Map(groups.flatMap((group) => group.map((word) => [word, group.filter((one) => one !== word)])))

/** Synonyms of a verb in the form of `toWords`. */
export function findSynonyms(word: string): readonly string[] {
  return synonyms.get(word) ?? []
}
