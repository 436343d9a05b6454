/** For a program that printed text on stdout and never a message of MCP. */
export const notMcp =
  'It does not speak MCP on stdout: it printed plain text there. Check its command; some servers need an argument such as "stdio".'
