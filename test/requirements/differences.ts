interface Difference {
  /** Which tools, as a regular expression over the full id. */
  readonly tools: RegExp
  /** Where, as a regular expression over the JSON pointer. */
  readonly pointers: RegExp
  /** Number of the decision record with the reason. */
  readonly decision: string
}

/** Deliberate differences between the built-in contracts and the requirements documents. */
export const differences: readonly Difference[] = [
  { tools: /./, pointers: /^\/output\/required$/, decision: '0020' },
  { tools: /./, pointers: /^\/(input|output)\/.*\/description$/, decision: '0021' },
  { tools: /^workspace\./, pointers: /^\/(description|constraints)$/, decision: '0022' },
  { tools: /^workspace\./, pointers: /^\/input\/properties\/\w+\/(min|max|pattern)/, decision: '0023' },
  { tools: /^workspace\.(list_dir|file_search|grep_search)$/, pointers: /\/(page|include_ignored)$/, decision: '0023' },
  {
    tools: /^(web-fetch\.web\.fetch|workspace\.fetch_webpage)$/,
    pointers: /\/(format|links|start|max_length|next_start)$/,
    decision: '0355',
  },
  { tools: /^practitioner\./, pointers: /^\/examples$/, decision: '0024' },
  { tools: /^(web-fetch|transcript-clean|mlxctl)\./, pointers: /^\/status$/, decision: '0025' },
  { tools: /^web-fetch\.search\.web$/, pointers: /^\/input\/properties\/max_results\/default$/, decision: '0077' },
]
