export const cellTags = new Set(['td', 'th'])
export const listTags = new Set(['ul', 'ol', 'menu', 'dir'])
export const headings = new Set(['h1', 'h2', 'h3', 'h4', 'h5', 'h6'])

/** Controls other than buttons, the ruby text above Japanese words, and formulas in another notation beside the shown one. */
export const controls = new Set('select textarea input progress meter rt rp annotation annotation-xml'.split(' '))

export const blockTags = new Set(
  (
    'address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption figure footer ' +
    'form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li listing main menu nav ol p pre section summary table tbody td ' +
    'tfoot th thead tr ul xmp'
  ).split(' '),
)
