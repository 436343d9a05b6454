/** Letters that look like an ASCII letter or digit: the ASCII character and its look-alikes. */
const letters: readonly (readonly [twin: string, like: string])[] = [
  ['a', 'аɑα'],
  ['b', 'Ьƅ'],
  ['c', 'сϲⲥꮯ'],
  ['d', 'ԁꓒ'],
  ['e', 'еҽ'],
  ['g', 'ɡցƍ'],
  ['h', 'һհᏂ'],
  ['i', 'іıɩιӏꙇ'],
  ['j', 'јϳ'],
  ['k', 'ĸκк'],
  ['l', 'ӏǀⅼו'],
  ['n', 'ոռ'],
  ['o', 'оοօσⲟ'],
  ['p', 'рρⲣ'],
  ['q', 'ԛգ'],
  ['r', 'гᴦⲅ'],
  ['s', 'ѕꜱ'],
  ['u', 'սυʋ'],
  ['v', 'ѵν'],
  ['w', 'ԝѡա'],
  ['x', 'х'],
  ['y', 'уγү'],
  ['z', 'ᴢ'],
  ['A', 'АΑᎪꓮ'],
  ['B', 'ВΒᏴꓐ'],
  ['C', 'СϹᏟⲤꓚ'],
  ['D', 'Ꭰꓓ'],
  ['E', 'ЕΕᎬꓰ'],
  ['F', 'Ϝꓝ'],
  ['G', 'ԌᏀꓖ'],
  ['H', 'НΗᎻⲎꓧ'],
  ['I', 'ІΙӀⲒꓲ'],
  ['J', 'ЈᎫꓙ'],
  ['K', 'КΚᏦⲔꓗ'],
  ['L', 'ᏞⳐꓡ'],
  ['M', 'МΜᎷⲘꓟ'],
  ['N', 'ΝⲚꓠ'],
  ['O', 'ОΟՕⲞꓳ'],
  ['P', 'РΡᏢⲢꓑ'],
  ['R', 'Ꭱꓣ'],
  ['S', 'ЅՏᏚꓢ'],
  ['T', 'ТΤᎢⲦꓔ'],
  ['U', 'Սꓴ'],
  ['V', 'ѴᏙꓦ'],
  ['W', 'ԜᎳꓪ'],
  ['X', 'ХΧⲬꓫ'],
  ['Y', 'ҮΥⲨꓬ'],
  ['Z', 'ΖᏃꓜ'],
  ['3', 'ЗӠƷ'],
]

/** Signs that look like ASCII punctuation, except dashes and quotes of ordinary prose. */
const signs: readonly (readonly [twin: string, like: string])[] = [
  ['/', '∕⁄⧸╱⟋'],
  ['\\', '∖⧵╲⟍'],
  ['-', '‐‑−➖'],
  ['.', '․ꓸ᛫⸱'],
  [':', '∶꞉ː׃ꓽ'],
  ['|', '∣ǀ❘'],
  ['!', 'ǃ'],
  ['*', '∗⁎'],
  ['<', '˂ᐸ❮'],
  ['>', '˃ᐳ❯'],
  ['~', '∼˜'],
  [',', '‚'],
  [';', ';'],
  ['`', 'ˋ`'],
  ["'", 'ʹʼˈ'],
]

let letterTwins: ReadonlyMap<string, string> | undefined
let signTwins: ReadonlyMap<string, string> | undefined

/** The ASCII letter or digit that a letter looks like. */
export function toLetterTwin(character: string): string | undefined {
  letterTwins ??= toMap(letters)
  return letterTwins.get(character)
}

/** The ASCII text that a sign looks like, or a wide, bold, joined or otherwise styled form of a character. */
export function toSignTwin(character: string): string | undefined {
  signTwins ??= toMap(signs)
  const plain = signTwins.get(character) ?? character.normalize('NFKC')
  return /^(?:[!-~]|[a-z]{2,4})$/i.test(plain) && !raised.test(character) ? plain : undefined
}

/** Superscripts and subscripts occur in formulas and names, and are visibly smaller. */
const raised = /^[ªº²³¹ʰ-ʸˡ-ˣ⁰-₎ₐ-ₜᴬ-ᵪᶜᶠᶻ™℠№]$/u

function toMap(pairs: readonly (readonly [twin: string, like: string])[]): ReadonlyMap<string, string> {
  return new Map(pairs.flatMap(([twin, like]) => [...like].map((character) => [character, twin])))
}
