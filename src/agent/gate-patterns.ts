/** Something that a question may not hold. */
export interface GatePattern {
  readonly name: string
  /** A regular expression without look-around and back-references: it is matched in linear time. */
  readonly pattern: string
  /** A sentence for whoever asked. */
  readonly reason?: string
}

/** Up to three words between others. */
const few = "(?:[\\w'’-]+ ){0,3}"
/** Where an order begins, and not "how do I …". */
const clause = '(?:^|[.;:,!?] ?|\\n|\\b(?:and|then|now|please|also|must|should|to)\\s)'

/** Each reads on one line in lower case; where a line must begin, on lines too. Small on purpose: what is asked often must pass. */
const kinds: readonly { readonly name: string; readonly reason: string; readonly patterns: readonly string[] }[] = [
  {
    name: 'overrides-rules',
    reason: 'It tells the model to leave its instructions aside.',
    patterns: [
      `\\b(?:ignore|disregard|forget|neglect|discard|do not follow|don't follow|stop following)\\b ${few}(?:previous|prior|preceding|earlier|foregoing|above)\\b ${few}(?:instructions?|directions|directives|prompts?|guidelines|orders)\\b`,
      `\\b(?:ignore|disregard|forget|override|bypass|do not follow|don't follow|stop following)\\b (?:all |any |of |each of )*your\\b ${few}(?:instructions|rules|guidelines|restrictions|constraints|programming|training|directives|guardrails|safety)\\b`,
      `\\b(?:ignore|disregard|override|bypass)\\b (?:the |all |any )*(?:system prompt|system message|safety (?:rules|guidelines)|guardrails)\\b`,
      `\\b(?:ignore|disregard|forget) (?:everything|all|anything)\\b ${few}(?:above|before this|you were told|you have been told|you've been told)\\b`,
      '\\b(?:new|updated|real|actual) (?:system )?instructions ?(?:follow|begin|start|are)? ?: ',
      '\\bfrom now on,? you (?:are|will|must|shall|have to|obey|answer)\\b',
    ],
  },
  {
    name: 'changes-the-role',
    reason: 'It tells the model to be one without rules.',
    patterns: [
      `\\byou are (?:now )?(?:in )?(?:an? )?${few}(?:jailbroken|unrestricted|unfiltered|uncensored|dan|developer mode|god mode|sudo mode|no longer bound|free of (?:all |any )?(?:rules|restrictions))\\b`,
      `\\b(?:act|behave|respond|answer|reply|pretend) (?:as|like|to be) (?:an? |the )?${few}(?:unrestricted|jailbroken|unfiltered|uncensored|dan)\\b`,
      "\\bpretend (?:that )?you (?:have no|are not bound|aren't bound|are free|do not have|don't have)\\b",
      '\\b(?:without|with no) (?:any )?(?:restrictions|guardrails|safety rules) from now on\\b',
    ],
  },
  {
    name: 'asks-for-the-prompt',
    reason: 'It asks for what the model was told, not for a tool.',
    patterns: [
      '\\b(?:reveal|show|print|repeat|output|display|leak|disclose|recite|dump|tell|give|send|write out|what (?:is|are|was|were))\\b(?: me| us| out| all| of)* your (?:full |whole |entire |exact |own )?(?:system|hidden|initial|original|secret|first|internal|developer) (?:prompt|instructions?|message|rules|configuration)\\b',
      '\\b(?:repeat|print|output|recite|copy) (?:back )?(?:everything|all|(?:the|all the) (?:text|words|content|messages?)) (?:above|before this|in your context|you were given)\\b',
    ],
  },
  {
    name: 'takes-secrets-out',
    reason: 'It asks to hand out secrets.',
    patterns: [
      `${clause}(?:send|post|upload|exfiltrate|e-?mail|mail|forward|transmit|leak|submit|curl|pipe)\\b[^\\n]{0,80}(?:api keys?|passwords?|secrets?|credentials?|private keys?|ssh keys?|access tokens?|tokens|\\.env\\b|environment variables|id_rsa|id_ed25519|/etc/shadow|\\.aws/)[^\\n]{0,80}(?:\\bto\\b|\\binto\\b|\\bat\\b) ?[^\\n]{0,20}(?:https?://|ftp://|[a-z0-9._-]+@[a-z0-9-]+\\.|[a-z0-9-]+\\.(?:com|net|org|io|ru|cn|xyz|example|evil)\\b)`,
      "\\b(?:reveal|show|print|output|tell|give|send|leak|disclose|what is|what's)\\b(?: me| us)* (?:your|the model's|the agent's|toolpact's) (?:own )?(?:api|secret|private|access)[ _-]?(?:keys?|tokens?)\\b",
      '(?:\\becho|\\bprintenv|\\bprint|\\bvalue of|\\bcontents? of)(?: the)?(?: variable)? ["\'`]?\\$?\\{?toolpact_model_key',
      '\\bexfiltrate\\b[^\\n]{0,60}(?:keys?|secrets?|credentials?|passwords?|tokens?|\\.env)\\b',
    ],
  },
  {
    name: 'passes-for-another',
    reason: 'It is written so that a model may take it for a message of the system, the output of a tool or a plan.',
    patterns: [
      '<\\|[^|<>]{0,40}(?:im_start|im_end|system|assistant|tool|eot_id|start_header_id|end_header_id|endoftext|channel|message)[^|<>]{0,40}\\|>',
      '\\[/?inst\\]|<</?sys>>|<start_of_turn>|<end_of_turn>',
      '</?(?:system|tool_results?|tool_response|tool_output|tool_calls?|function_calls?|function_results?|function_response)>',
      '(?:^|\\n)[ #*>]*(?:assistant|tool[ _](?:results?|output|response)|function[ _](?:results?|output|response)|system (?:message|prompt|override|note))\\*{0,2} ?:',
      '(?:^|\\n) ?#{2,} ?(?:system|instructions?|assistant|developer) ?:?(?: ?\\n|$)',
      '"type" ?: ?"(?:call_tool|final_answer|function_call|tool_call|tool_result|tool_use)"',
      '"(?:structuredcontent|tool_calls|tool_call_id)" ?:',
      '"role" ?: ?"(?:system|assistant|tool|developer)"',
    ],
  },
]

export const gatePatterns: readonly GatePattern[] = kinds.flatMap(({ name, reason, patterns }) =>
  patterns.map((pattern) => ({ name, pattern, reason })),
)
