/** Each reason for which a plan is refused, and what it means. docs/ask.md says the same. */
export const planFaults = {
  plan_empty: 'The model said nothing.',
  plan_not_json: 'What it said is no JSON.',
  plan_text_around: 'There is text around the JSON object, or beside a function call.',
  plan_fenced: 'The JSON object stands in a Markdown fence.',
  plan_not_object: 'It is JSON and no object, such as an array of plans.',
  plan_two_calls: 'It asks for more than one call.',
  plan_duplicate_key: 'A key stands twice, so that two readers could see two plans.',
  plan_too_large: 'It has more than 262,144 bytes.',
  plan_too_deep: 'It is nested more than 32 levels deep.',
  plan_unknown_type: 'Its type is neither call_tool nor final_answer.',
  plan_unknown_key: 'It has a key that a plan does not have.',
  plan_missing_key: 'It lacks a key that a plan must have.',
  plan_wrong_type: 'A key has a value of the wrong type.',
  plan_unknown_server: 'It names a server that the model was not offered.',
  plan_unknown_tool: 'It names a tool that the model was not offered.',
  plan_args_not_object: 'The input of the tool is no JSON object.',
  plan_ungrounded: 'It is an answer that no tool supports; only needs_more_info: true may do without one.',
} as const

export type PlanFault = keyof typeof planFaults
