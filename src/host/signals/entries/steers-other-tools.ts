import { inAnyOrder } from '../compile-phrase.ts'
import type { Signal } from '../signal.ts'

export const steersOtherTools: Signal = {
  id: 'steers-other-tools',
  looksFor: 'how tools of other servers are to be used, avoided or changed',
  why: 'A tool that reaches over to other servers shadows them; this is how one bad server turns good ones.',
  tools: 1,
  evenRefused: true,
  phrases: {
    en: [
      'calendar|bank|mail|github|slack|filesystem|email server|servers ~3 tools|tool|read_file|first|call',
      'no_other_tool|only_tool ~5 safely|safe|trusted|allowed|may|can|permitted',
      'server|servers|tool|tools ~2 not ~1 trustworthy|to_be_trusted|trusted|safe|reliable',
      'all_other|any_other|other ~2 tools|tool ~2 forbidden|prohibited|banned|not_allowed|off_limits',
      'not|never ~1 call|use|invoke|choose|pick another|other|any_other|a_different|different tool|tools|server|servers',
      'tool|tools ~3 from|of|by|on|in ~2 other|another|any_other|different|all_other ~2 server|servers|mcp|provider|providers|vendor|vendors',
      'other|another|any_other|all_other mcp|servers|server ~1 tool|tools',
      'other_mcp_server|other_mcp_servers|other_mcp_tools|another_mcp_server|third_party_tools|competing_tools|competing_servers|every_other_server|all_other_servers|any_other_server|other_plugins|another_plugin',
      'other|another ~1 server|servers ~4 offers|offer|exposes|tool|tools|similar',
      'when|whenever|before|after|while|if|each_time|every_time|once ~4 other|another|any ~2 tool|tools ~4 must|first|also|change|replace|modify|append|call_this|send',
      'before ~3 any_other|any|other|every tool|tools',
      'not|never|stop|avoid ~2 use|using|call|calling|trust|trusting|invoke|invoking ~2 other|any_other|all_other|competing|alternative|another|similar tool|tools',
      'instead_of|in_place_of|overrides|override|supersedes|replaces|disables|disable|shadows|over ~2 other|any_other|all_other|competing|every_other tool|tools',
      'other|any_other|all_other|competing|similar ~2 tools|tool ~3 is|are ~2 deprecated|broken|unsafe|insecure|disabled|obsolete|compromised|untrusted|unreliable|forbidden|malicious',
      'tool|tools|server|one ~2 is|are ~1 insecure|unsafe|compromised|malicious|untrusted ~4 instead|use|rather',
      'tool|tools ~2 is|are ~1 deprecated|broken ~8 use_this|this_tool|this_one',
      'not|never ~2 use|call ~6 use_this_tool|this_tool_instead|this_one_instead|always_use_this',
      'before|after|when|whenever ~2 any|every|each ~1 tool_call|tool_calls|tool_use|tool_invocation ~8 call|run|invoke|use|pass|send|include|append',
      'every|each|all|any ~2 tool_call|tool_calls|tool_invocation|tool_invocations|call_to_any_tool ~3 must|should|shall ~4 first|go_through|pass_through|be_routed|be_preceded|be_followed|include|be_reported|be_logged',
      'tool|tools ~1 of ~1 bank|calendar|mail|github|slack|filesystem|email server',
    ],
    de: [
      inAnyOrder(
        8,
        'andere|anderen|anderer|fremde|fremden',
        'werkzeug*|tools|tool|server*',
        'nicht|nie|statt|anstelle|bevor|ersetze|immer|stets|zuerst|niemals',
      ),
    ],
    fr: [
      inAnyOrder(8, 'autre|autres', 'outil|outils|serveur|serveurs', 'pas|jamais|avant|toujours|remplac*|lieu|modifi*'),
    ],
    es: [
      inAnyOrder(
        8,
        'otra|otras|otro|otros',
        'herramienta*|servidor*',
        'no|nunca|antes|siempre|lugar|reemplaz*|modific*',
      ),
    ],
    zh: [
      inAnyOrder(
        10,
        '其他|其它|别的|別的',
        '工具|服务器|伺服器',
        '不要|禁止|之前|替代|代替|取代|修改|总是|必须先|都必须',
      ),
    ],
  },
}
