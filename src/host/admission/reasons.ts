import type { Reason } from './verdict.ts'

const report = 'Report it to the author of the server; its other tools are not affected.'

/** Every reason to withhold a tool: when it applies, and what the operator can do. SERVER and TOOL are placeholders. */
export const reasons = {
  unreadable: {
    when: 'The definition is not a JSON object, or exceeds the limits of size or depth.',
    fix: report,
  },
  list_too_long: {
    when: 'The server lists more tools, or more bytes, than the limit.',
    fix: 'Disable features of the server, so that it lists fewer tools.',
  },
  name_not_usable: {
    when: 'The name is missing or is not 1 to 128 letters, digits, _ . or -, the first a letter, digit or _.',
    fix: report,
  },
  name_repeated: {
    when: 'The server lists several tools under this name, and they differ.',
    fix: report,
  },
  name_confusable: {
    when: 'Another tool of the server has a name that differs only by case, separators or characters that look alike.',
    fix: 'Name the one that is meant in "tools" of the server SERVER, or the others in "exclude".',
  },
  name_taken: {
    when: 'The full name differs from that of a tool of another server only by case, separators or look-alikes.',
    fix: 'Give the server SERVER another name in the config.',
  },
  not_listed: {
    when: 'The tool is not in the list of allowed tools.',
    fix: 'Add TOOL to "tools" of the server SERVER in the config, if it is wanted.',
  },
  excluded: {
    when: 'The operator excludes the tool.',
    fix: 'Remove TOOL from "exclude" of the server SERVER in the config, if it is wanted.',
  },
  no_description: {
    when: 'The tool has no description.',
    fix: report,
  },
  hidden_characters: {
    when: 'A string or key has control, bidirectional, tag or zero-width characters: what a person reads is not what a model gets.',
    fix: 'Do not trust the tool before its author has removed them.',
  },
  no_input_schema: {
    when: 'There is no inputSchema.',
    fix: report,
  },
  input_not_an_object: {
    when: 'The root of the inputSchema is not of type object.',
    fix: report,
  },
  undeclared_required: {
    when: 'The inputSchema requires a key that it does not declare.',
    fix: report,
  },
  invalid_schema: {
    when: 'A schema is not valid in its dialect, or has a reference that does not resolve.',
    fix: report,
  },
  hostile_schema: {
    when: 'A schema is too large, too deep, infinitely recursive, refers to another document, or would pollute a prototype.',
    fix: 'Do not trust the tool before its author has explained it.',
  },
  unsupported_schema: {
    when: 'A schema has a dialect, an identifier or a pattern (look-around, back-reference) that cannot be checked in bounded time.',
    fix: report,
  },
  no_output_schema: {
    when: 'The tool declares no outputSchema, or one that allows any object, and such tools are not admitted as quoted data.',
    fix: 'Admit them as quoted data: toolpact mcp adopt SERVER. Or attach a schema: toolpact mcp adopt SERVER TOOL.',
  },
  invalid_overlay: {
    when: 'The output schema that was attached to the tool cannot be used.',
    fix: 'Attach another one: toolpact mcp adopt SERVER TOOL.',
  },
  differs_from_lock: {
    when: 'The definition differs from the accepted one.',
    fix: 'See what changed: toolpact lock --check. Accept it: toolpact lock --accept SERVER.TOOL.',
  },
  not_in_lock: {
    when: 'The config requires a lock, and the tool is not in it.',
    fix: 'Look at it: toolpact mcp inspect SERVER. Accept it: toolpact lock --accept SERVER.TOOL.',
  },
} as const satisfies Record<string, { when: string; fix: string }>

export type ReasonCode = keyof typeof reasons

/** Creates a reason. `found`: the specific finding, instead of the general description. */
export type ToReason = (code: ReasonCode, found?: string) => Reason

export function createToReason(server: string, tool: string): ToReason {
  return (code, found) => ({
    code,
    message: found ?? reasons[code].when,
    fix: reasons[code].fix.replaceAll(/SERVER|TOOL/g, (word) => (word === 'TOOL' ? tool : server)),
  })
}
