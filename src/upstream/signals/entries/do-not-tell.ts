import { inAnyOrder } from '../compile-phrase.ts'
import type { Signal } from '../signal.ts'

const notTellUser = [inAnyOrder(6, '$not', '$tell', '$user')]

export const doNotTell: Signal = {
  id: 'do-not-tell',
  looksFor: 'something is not to be told or shown to the user, or is to stay secret',
  why: 'An honest tool has nothing to keep from the person it works for.',
  tools: 0,
  phrases: {
    en: [
      inAnyOrder(9, '$tell', '$never|$noway', '$user|them|they|reader'),
      inAnyOrder(9, '$hear', '$never|$noway', '$user|reader'),
      '$never display|print|output|render ~6 to|for ~2 $user|them',
      '$never let|allow|letting|allowing ~2 $user|them ~3 know|find|see|notice|learn|in_on|hear|realize|become|catch',
      'letting|let ~2 $user|them ~1 in_on',
      '$tell ~4 is|are ~1 prohibited|forbidden|not_allowed|banned|off_limits',
      'unmentioned|in_the_know|off_the_record|no_sign|spare_them|unsaid|untold|hide_what|hide_the_fact|hide_this|hide_that',
      '$user ~3 can|could|must|may|should not ~1 alerted|warned|notified|made_aware|informed|told',
      '$never bring|drag ~1 up',
      'between_you_and|for_the_assistant_only|for_your_eyes_only|assistant_only|model_only|ai_only|for_the_ai_only|only_for_the_assistant|only_for_the_model',
      'no_reference_to|make_no_reference|no_hint|not_hint|keep_mum|breathe_a_word|not_a_single_word',
      '$never ~2 reveal|disclose|divulge|acknowledge|mention|admit|confess|talk_about|bring_up|speak_of|let_on|refer_to ~1 this|these|it|that|the|any|your|what|having',
      '$never ~3 $tell ~2 this_tool|this_instruction|these_instructions|this_step|this_call|that_you|this_note|this_to|it_to|this_action|this_part|this_rule|this_behavior|this_behaviour|this_requirement|its_existence|the_existence|this_at_all|this_parameter|this_text|why',
      'without ~2 telling|informing|notifying|alerting|mentioning|showing|warning ~2 $user|them|it|this',
      'this|these|it|that ~3 must|should|shall|may ~1 not|never be mentioned|disclosed|revealed|shown|discussed|reported|told|explained|displayed|visible|logged|surfaced|exposed|noticed',
      '$never ~3 $tell|include|list|reference|log|record|add ~5 in_your|from_your|in_the_final|in_any ~2 answer|reply|response|summary|explanation|reasoning|final_answer|final_message|message|output',
      'leave_out|omit|exclude|drop|strip|remove ~5 from|when|in ~2 you|your|the|any ~1 answer|summary|reply|response|report|explanation|replies|answers',
      '$user|they|nobody|no_one|noone|anyone ~3 must|should|can|shall|may|will|need|is|are ~1 not|never ~3 know|see|notice|aware|learn|find_out|told|informed|realize|realise|shown|hear|notified|suspect|discover|to_be',
      '$user|they|nobody|no_one|anyone ~2 does|do ~1 not|never ~2 find_out|notice|realize|realise|suspect|discover|need_to|have_to|become_aware|learn_about',
      'nobody|no_one|noone ~3 know|knows|notice|told|see|learn|find_out',
      'without_the_knowledge|without_knowledge|unbeknownst|unknown_to_the_user|behind_the_users_back|behind_their_back|behind_the_scenes|unaware|in_the_dark|oblivious',
      '$not ~3 $user|them|their|anyone|anybody ~2 know|knowing|knowledge|notice|noticing|aware|awareness|see|seeing|realizing|realising|find_out|finding_out|suspect|suspecting|learn',
      '$hide ~6 from ~2 $user|them|view|sight',
      'keep|keeping ~3 from ~1 $user|them',
      'keep|keeping|remain|remains|stay|stays|kept ~4 secret|confidential|undisclosed|to_yourself|between_us|unseen|off_the_record|unnoticed|undetected|quiet|hush',
      'keep|remain|remains|stay|stays|kept ~1 hidden|private|invisible ~3 from|to|user|users|all_times|always',
      'invisible|hidden|unseen|concealed ~1 to|from ~2 user|users|human|person|customer|them',
      '$secretly|quietly|conceal|concealed|concealing',
      '$silently ~1 $act',
      'send|forward|copy|upload|run|execute|call|perform|read|include|do_this|do_so|append|attach ~5 silently|invisibly|in_silence|without_a_trace|without_notice|under_the_radar|unnoticed|undetected',
      'no_mention|leave_no_trace|omit_any_mention|leave_this_out|leave_it_out|strip_any_mention|say_nothing|not_a_word',
    ],
    de: [
      ...notTellUser,
      'kein_wort|nichts_sagen|nichts_davon|heimlich|unbemerkt|verschweig*|verheimlich*|stillschweigend|verberg*|geheim',
    ],
    fr: [
      ...notTellUser,
      "en_secret|en_cachette|secretement|a_l'insu|discretement|cachez|cachez_le|cache_le|cacher|dissimul*|en_silence|furtivement",
    ],
    es: [
      ...notTellUser,
      'en_secreto|secretamente|a_escondidas|oculta*|ocultar|ocultelo|sigilosamente|en_silencio|discretamente',
    ],
    it: [...notTellUser, 'di_nascosto|in_segreto|segretamente|nascond*|all_insaputa|silenziosamente'],
    pt: [...notTellUser, 'em_segredo|secretamente|escond*|ocult*|silenciosamente|discretamente'],
    ru: [...notTellUser, 'тайно|скрытно|незаметно|втайне|скрой*|скрыва*|секретно'],
    zh: [
      inAnyOrder(6, '$not', '$tell', '$user'),
      '秘密地|悄悄|暗中|偷偷|瞒着|瞞著|隐瞒|隱瞞|对用户保密|對用戶保密|保密|默默|静默',
    ],
    ja: [inAnyOrder(12, '$user', '$tell', '$not'), 'こっそり|密かに|秘密に|内緒|黙って|ひそかに|秘密裏'],
    ko: [inAnyOrder(6, '$user', '$tell', '$not'), '몰래*|비밀리*|비밀로*|은밀*|조용히'],
  },
}
