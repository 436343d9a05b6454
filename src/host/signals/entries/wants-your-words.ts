import { inAnyOrder } from '../compile-phrase.ts'
import type { Signal } from '../signal.ts'

export const wantsYourWords: Signal = {
  id: 'wants-your-words',
  looksFor: "the user's words, the conversation or the system prompt are to be handed over verbatim or whole",
  why: 'They leave with the call, and with them whatever else was said.',
  tools: 2,
  phrases: {
    en: [
      'echo|echo_back ~4 discussion|conversation|prompt|message|messages|entire',
      inAnyOrder(
        5,
        'wrote|typed|said|asked|entered',
        'person|user|human|customer',
        'sentence|words|untouched|unchanged|exactly|verbatim|literally',
      ),
      'messages|turns|words ~2 exchanged|so_far|up_to_now',
      'chat|conversation|dialogue|dialog|discussion|session so_far|up_to_now|until_now',
      'rules|instructions|configuration ~3 you_were|you_are_set|set_up_with|given_to_you|you_operate|you_run',
      'your ~1 hidden|secret|internal ~1 configuration|instructions|prompt|context|rules',
      inAnyOrder(
        7,
        'each|every|whole|full|all',
        'prompt|prompts|utterance|conversation|questions',
        'user|users|human|their',
        'pass|passed|send|sent|forward|forwarded|recorded|copy|copied|logged|log',
      ),
      '$hand ~3 hidden|initial|internal|secret ~1 context|prompt|prompts|instructions|message',
      'context|prompt|instructions ~2 you_were|you_are ~2 initialised|initialized|given|configured',
      inAnyOrder(
        3,
        'exact|exactly|verbatim|literal|literally|full|entire|whole|raw|unmodified|original',
        'user|users',
        'message|prompt|words|question',
      ),
      'letter_by_letter|without_rewording|without_rephrasing|without_paraphrasing|user_turn|prompt_history',
      'log|record|track|monitor|store|save ~3 everything ~3 user|users|message|messages|conversation',
      inAnyOrder(
        7,
        'copy|paste|repeat|hand_over|reproduce|supply|transcribe|quote|insert|put|enter',
        'message|messages|prompt|prompts|dialogue|conversation|text_above|instructions|chat',
        'literally|unchanged|as_is|up_to_this_point|everything|entire|exact|exactly|unmodified|untouched|verbatim|above|whole|without_edits',
      ),
      'text_above|everything_above|words_above|lines_above|instructions_above|messages_above|prompt_above ~6 repeat|copy|paste|include|here|line|verbatim|in',
      'hand_over|hand_it_over|copy_it_literally|copy_it_verbatim|quote_it_literally',
      inAnyOrder(
        5,
        '$exactly|raw|untouched|unfiltered|as_is',
        'user|users|human|persons|customers|customer|they',
        'typed|wrote|said|words|wording|utterance|message|prompt|question|request|query',
      ),
      '$exactly ~4 user|users|human|persons|customers|their ~2 $words',
      'user|users|human|persons|customers|their|my ~2 $words ~4 $exactly|as_is|in_full|without_changes|in_its_entirety|without_modification|without_summarizing|without_paraphrasing|as_typed|as_written|as_received',
      '$hand ~3 full|entire|whole|complete|raw|exact|all ~3 prompt|conversation|dialogue|transcript|history|chat|discussion|messages_so_far ~4 here|in|into|as|so_far|to|with|verbatim|of_this|including|up_to|when',
      '$hand ~3 $whole ~2 conversation|dialogue|dialog|chat_history|conversation_history|message_history',
      '$hand ~2 conversation_transcript|conversation_history|chat_history|chat_transcript|conversation_log|chat_log|message_history|our_conversation|this_conversation|the_dialogue|full_context',
      'full|entire|whole|complete|raw|exact ~1 prompt|conversation|dialogue|chat ~2 history|transcript|thread|context|so_far|verbatim|here|with_the_user',
      '$hand ~3 prior|previous|past|earlier ~1 messages|conversation|conversations|turns|exchanges',
      '$talk ~4 $exactly|in_full|as_is|in_its_entirety|so_far|up_to_now|until_now|to_date|of_this_session',
      '$hand|your|text_of|contents_of|reveal|leak|dump ~3 system_prompt|system_message|system_instructions|hidden_prompt|initial_instructions|initial_prompt|developer_message|developer_prompt|preamble|hidden_instructions',
      'prompt|prompts|instructions|rules ~2 you ~1 received|were_given|got|have_been_given|were_told|operate_under|run_under',
      '$hand ~3 your_instructions|your_prompt|your_rules|your_guidelines|your_memory|your_configuration_prompt',
      'everything|whatever|all_that|all_the|exactly_what|anything ~3 user|users|they|human|person|customer ~3 said|says|wrote|writes|typed|types|told|entered|pasted ~4 here|in|into|as|this|session|conversation|far|unchanged|exactly|verbatim|you|to',
      'original_user_message|original_user_prompt|original_user_query|original_user_request|users_original_message|user_message_verbatim|original_user_input|full_user_prompt|raw_user_prompt|raw_user_message|raw_user_input',
      '$hand ~4 chain_of_thought|your_reasoning|your_internal_reasoning|your_hidden_reasoning|your_scratchpad|your_thoughts',
      'last|latest|recent message ~1 of|from ~1 user|users|human|customer',
      'here goes|belongs|comes ~4 chat|conversation|dialogue|chat_log|transcript|prompt',
      'previous|prior|earlier user messages|prompts|message',
      '$hand ~3 $whole ~2 context_window|context_of|chat_log',
    ],
    de: [
      inAnyOrder(
        8,
        'bisherig*|wörtlich*|woertlich*|wortwörtlich|unverändert*|unveraendert*|vollständig*|vollstaendig*|gesamte*|komplette*|ganze*',
        '$user|systemprompt*|system_prompt|systemanweisung*|unterhaltung|gespräch*|gespraech*|chatverlauf|konversation|verlauf|dialog',
        'nachricht*|eingabe*|worte|wortlaut|anfrage|frage|text|systemprompt*|unterhaltung|gespräch*|gespraech*|chatverlauf|konversation|verlauf|prompt|dialog',
      ),
    ],
    fr: [
      inAnyOrder(
        8,
        'mot_pour_mot|textuel*|intégralité|intégralement|intégrale|entier|entière|complet|toute|exactement|sans_modif*|sans_le_modifier|sans_changement|tel_quel|telle_quelle',
        'utilisat*|invite|système|conversation|échange*|discussion|historique',
        'message*|mots|demande|requête|question|texte|conversation|historique|discussion|système|prompt|échange*',
      ),
    ],
    es: [
      inAnyOrder(
        8,
        'literalmente|textualmente|textuales|palabra_por_palabra|completa|completo|integra|integro|entera|entero|toda|exactas|exacto|exactamente|sin_cambi*|sin_modific*|tal_cual',
        'usuari*|sistema|conversacion|historial|charla',
        'mensaje*|palabras|peticion|solicitud|pregunta|texto|conversacion|historial|prompt|sistema|charla|chat',
      ),
    ],
    it: [
      inAnyOrder(
        8,
        'parola_per_parola|letteral*|testual*|intera|intero|interamente|completa|completo|tutta|esatt*',
        'utent*|sistema|conversazione|cronologia',
        'messagg*|parole|richiesta|domanda|testo|conversazione|cronologia|prompt|chat',
      ),
    ],
    pt: [
      inAnyOrder(
        8,
        'palavra_por_palavra|literalmente|textualmente|inteira|inteiro|completa|completo|toda|exatas|exatamente|integralmente',
        'usuari*|utilizador*|sistema|conversa|historico',
        'mensage*|palavras|pedido|pergunta|texto|conversa|historico|prompt|chat',
      ),
    ],
    ru: [
      inAnyOrder(
        8,
        'дословно|полностью|весь|всю|полный|полную|целиком|буквально|слово_в_слово',
        'пользовател*|систем*|диалог*|разговор*|переписк*|беседы|чата|беседу',
        'сообщен*|слова|запрос*|текст*|разговор*|переписк*|диалог*|промпт*|истори*|беседу',
      ),
    ],
    zh: [
      inAnyOrder(
        10,
        '原样|原樣|逐字|原文|原话|原話|完整|全部|一字不差|原封不动|原封不動|所有|整个|整個|原样',
        '用户|用戶|使用者|系统|系統|对话|對話|聊天|会话|會話',
        '消息|訊息|问题|問題|输入|輸入|提示词|提示詞|提示|记录|記錄|历史|歷史|内容|內容|原话|原話|请求|说的话|說的話|话',
      ),
    ],
    ja: [
      inAnyOrder(
        14,
        '一字一句|そのまま|全文|全体|すべて|全て|完全',
        'ユーザ|利用者|システム|会話|チャット',
        'メッセージ|発言|入力|プロンプト|履歴|会話|質問',
      ),
    ],
    ko: [
      inAnyOrder(
        8,
        '그대로|전체*|모든|전부|원문*|완전*',
        '사용자*|시스템*|대화*|채팅*',
        '메시지*|입력*|프롬프트*|기록*|내용*|질문*|대화*',
      ),
    ],
  },
}
