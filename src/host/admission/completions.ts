import type { Completion } from './verdict.ts'

/** What admission added to a tool's definition, or took from settings. */
export const completions = {
  input_closed: 'The inputSchema leaves its root open: arguments that it does not declare are refused here.',
  input_open: 'The inputSchema describes arguments that it does not name (additionalProperties): they are accepted.',
  output_opaque: 'The tool declares no outputSchema: its results are passed on as quoted data, up to a size limit.',
  output_unspecific:
    'The outputSchema allows any object, so it checks nothing: results are passed on as quoted data, up to a size limit.',
  output_attached: 'A person attached the output schema.',
  output_wrapped: 'The outputSchema is not of type object: the output is { "result": … }.',
  risk_configured: 'The risk comes from the config.',
  risk_claimed:
    'The server says that the tool only reads (readOnlyHint). That is a claim: it counts as dangerous until you decide.',
  risk_believed:
    'The server says that the tool only reads (readOnlyHint), and the config lets that count ("approval": "reads").',
  risk_contradicted: 'The server claims that the tool is both read-only and destructive: it counts as dangerous.',
  risk_assumed: 'The server does not claim that the tool is read-only: it counts as dangerous.',
  approval_configured: 'Whether to ask comes from the config.',
  destructive_claimed: 'The server claims that the tool may destroy something (destructiveHint).',
  open_world_claimed: 'The server claims that the tool reaches the outside world (openWorldHint).',
  for_apps: 'The server offers it to apps alone (_meta.ui.visibility): only clients that show apps list it.',
  has_app: 'Clients that support MCP Apps show its results in a page of the server.',
} as const satisfies Record<string, string>

export type CompletionCode = keyof typeof completions

export function toCompletion(code: CompletionCode): Completion {
  return { code, message: completions[code] }
}
