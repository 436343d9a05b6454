import { inAnyOrder } from '../compile-phrase.ts'
import type { Signal } from '../signal.ts'

export const overridesRules: Signal = {
  id: 'overrides-rules',
  looksFor: 'earlier instructions, rules or safeguards are to be ignored, or the text speaks as the system',
  why: 'A tool describes itself; it has no say over what else the model was told.',
  tools: 0,
  phrases: {
    en: [
      'ignore|bypass|forget|override|outdated|void ~4 safety|guardrails|ethics|moderation|agreements !check|checks|timeout|limit',
      'safety|guardrails|ethics|moderation|agreements ~4 outdated|void|ignored|overridden',
      'from_now_on|from_this_point_on|from_here_on|henceforth',
      'outrank|outranks|overrule|overrules|trump|trumps|outweigh|outweighs ~4 user|users|request|requests|instruction|instructions|system|rules|developer|prompt|wishes|everything|anything',
      'precedence_over|priority_over|supersede|supersedes|override|overrides|prevail_over|prevails_over ~2 user|users|your|system|developer|previous|other|all|any|earlier|everything ~2 instruction|instructions|rules|prompt|wishes|guidelines|guidance|told|else',
      'priority_over|precedence_over ~2 users|user|what ~2 wishes|wants|request|requests|asked|says|instructions',
      '$dismiss ~3 $earlier ~3 $rules',
      '$dismiss ~2 everything|anything|all|what|whatever ~4 told|above|before|previously|said|earlier|instructed|preceding|learned|know',
      '$dismiss ~2 restriction|restrictions|safeguards|guardrails|guidelines|safety|limitations|security_rules|security_policies|content_policy|guidance !check|checks',
      '$dismiss ~3 safety|content|security|privacy ~2 $rules|filter|filters|measures|training|concerns|warnings|considerations',
      '$dismiss ~2 earlier|previous|prior|your ~2 guidance|training|rules|norms',
      'stop_following|stop_obeying ~4 guidance|safety|policy|policies|rules|guidelines|instructions|prompt',
      'lift|lifts|lifted ~3 restrictions|safeguards|safety|limits_on_you',
      'comply ~4 above_all|first|before_all|instead_of ~3 instructions|rules|prompt|wishes|system_prompt',
      'only|sole ~2 source|authority ~2 of|for ~2 instructions|instruction|orders|rules',
      'instructions|guidelines|restrictions|safety_policies|safety_rules|safeguards ~4 not_count|no_longer_count|lifted|void|suspended|outdated',
      'safety|security ~1 policies|policy|rules|measures ~2 suspended|lifted|void|disabled',
      'act_as|become|acting_as ~1 admin|administrator|root|superuser|system|unrestricted',
      'as ~2 system_administrator|administrator|developer|your_operator i|we ~2 order|command|instruct|require',
      'disregard|disregarding|disregards',
      'you_are_now|from_now_on_you|from_now_on_always|from_now_on_every|your_real_task|your_true_task|your_actual_task|your_real_job|true_purpose|real_purpose|jailbreak|jailbroken|system_override|admin_override|root_access_granted|god_mode|unrestricted_mode',
      'system_notice|message_from_the_system|message_to_the_ai|message_to_the_assistant|message_to_the_model|note_to_the_ai|note_to_ai|note_to_the_assistant|note_to_the_model|note_to_the_llm|note_for_the_ai|note_for_ai|note_for_the_assistant|note_for_the_model|instructions_to_the_model|instructions_to_the_assistant|instruction_to_the_model|instruction_to_the_assistant|attention_ai|attention_assistant|for_ai_eyes_only|ai_agents_only|for_the_model_only',
      'hidden|secret|confidential|covert ~1 instruction|instructions|directive|directives|orders',
      'instructions|guidelines|restrictions|restriction|safeguards|prompt|rules ~4 do_not_apply|no_longer_apply|no_longer_applies|no_longer_valid|are_suspended|are_void|are_revoked|are_lifted|are_obsolete|not_apply_here|not_apply_to_you|not_apply_to_this',
      'restrictions|rules|guidelines|instructions ~3 you ~4 not_apply|no_longer_apply',
      'this|these|it|following ~3 supersedes|supersede|overrides|override|outranks|outrank|trumps ~3 anything|everything|all|any|what|whatever|your|user|system ~4 told|said|instructions|instruction|prompt|prompts|guidelines|wishes|request|requests|before',
      'nothing ~2 system_prompt|instructions|guidelines|prompt ~2 applies|apply|counts',
      'earlier|previous|prior ~1 constraints|instructions|rules|agreements|restrictions ~5 not_count|no_longer_count|cancelled|canceled|void|revoked',
    ],
    de: [
      inAnyOrder(
        7,
        'ignorier*|vergiss|vergessen|missacht*|übergeh*|uebergeh*|überschreib*|ueberschreib*|hinwegsetz*|hinweg',
        'anweisung*|regel|regeln|vorgabe*|instruktion*|richtlinie*|beschränkung*|sicherheits*|befehl*',
      ),
      'ab_sofort_bist_du|du_bist_nun|du_bist_jetzt',
    ],
    fr: [
      inAnyOrder(
        7,
        'ignorez|ignorer|ignore_les|ignore_tes|ignore_toute*|ignore_tout|oublie|oubliez|oublier|outrepass*|contourn*|négligez|faites_fi',
        'instruction*|règle*|consigne*|directive*|restriction*|politique*|garde-fou*',
      ),
      'tu_es_maintenant|vous_êtes_désormais|vous_êtes_maintenant',
    ],
    es: [
      inAnyOrder(
        7,
        'ignor*|olvid*|omit*|pasa_por_alto|haz_caso_omiso|anul*|desobede*',
        'instruccion*|regla|reglas|directri*|restriccion*|politicas|indicacion*',
      ),
      'ahora_eres|a_partir_de_ahora_eres',
    ],
    it: [
      inAnyOrder(7, 'ignor*|dimentic*|scavalc*|aggir*|trascur*', 'istruzion*|regol*|direttiv*|restrizion*|linee_guida'),
    ],
    pt: [
      inAnyOrder(
        7,
        'ignore|ignorar|ignorem|esqueç*|esquec*|desconsider*|contorn*',
        'instruçõ*|instrução|regra|regras|diretri*|restriçõ*|politicas',
      ),
    ],
    ru: [inAnyOrder(7, 'игнорир*|проигнорир*|забуд*|пренебре*|отмени*', 'инструкци*|правил*|указани*|ограничен*')],
    zh: [
      inAnyOrder(
        12,
        '忽略|无视|無視|忘记|忘記|忽视|忽視|绕过|繞過|覆盖|不理会',
        '指令|规则|規則|指示|说明|限制|准则|準則|提示|政策|规定',
      ),
      inAnyOrder(10, '规则|規則|指令|限制|指示|规定', '不算数|作废|失效|不再有效|不适用|無效|无效'),
      '你现在是|你現在是|从现在起你',
    ],
    ja: [inAnyOrder(14, '無視|忘れ|上書き', '指示|命令|ルール|規則|制限|プロンプト'), 'あなたは今から'],
    ko: [inAnyOrder(7, '무시*|잊어*|잊고', '지시*|명령*|규칙*|지침*|제한*')],
  },
}
