/** For a program that printed text on stdout, and no MCP message. */
export const notMcp =
  'It does not speak MCP on stdout: it printed plain text there. Check its command; some servers need an argument such as "stdio".'
