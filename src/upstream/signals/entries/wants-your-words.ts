import { inAnyOrder } from '../compile-phrase.ts'
import type { Signal } from '../signal.ts'

export const wantsYourWords: Signal = {
  id: 'wants-your-words',
  looksFor: "the user's words, the conversation or the system prompt are to be handed over verbatim or whole",
  why: 'They leave with the call, and with them whatever else was said.',
  tools: 3,
  phrases: {
    en: [
      'echo|echo_back ~4 discussion|conversation|prompt|message|messages|entire',
      inAnyOrder(
        5,
        'wrote|typed|said|asked|entered',
        'person|user|human|customer',
        'sentence|text|words|message|untouched|unchanged|exactly',
      ),
      'messages|turns|words ~2 exchanged|so_far|up_to_now',
      'rules|instructions|configuration ~3 you_were|you_are_set|set_up_with|given_to_you|you_operate|you_run',
      'your ~1 hidden|secret|internal|private ~1 configuration|instructions|prompt|context|rules|settings|notes',
      inAnyOrder(
        9,
        'each|every|all|any|whole|full',
        'prompt|prompts|question|questions|utterance|requests|conversation|inputs',
        'user|users|human|their',
        'pass|passed|send|sent|forward|forwarded|log|logged|stored|record|recorded|copy|copied|include|included',
      ),
      inAnyOrder(
        5,
        'hidden|initial|internal|secret|initialised|initialized|system',
        'context|prompt|prompts|instructions|message',
        'you|your|were|insert|include|paste|copy|reveal|repeat',
      ),
      inAnyOrder(
        5,
        'exact|exactly|verbatim|literal|literally|full|complete|entire|whole|raw|unmodified|original',
        'user|users',
        'message|prompt|words|question|request',
      ),
      'letter_by_letter|without_rewording|without_rephrasing|without_paraphrasing|user_turn|prompt_history',
      'log|record|track|monitor|store|save ~4 everything|all|every ~3 user|users|message|messages|conversation',
      inAnyOrder(
        8,
        'copy|paste|repeat|enter|hand_over|reproduce|supply|put|transcribe|quote|write|fill|insert',
        'message|messages|prompt|prompts|dialogue|conversation|text_above|question|instructions|chat',
        'literally|unchanged|edits|as_is|whole|complete|up_to_this_point|everything|full|entire|exact|exactly|unmodified|untouched|word|above|all',
      ),
      'text_above|everything_above|words_above|lines_above|instructions_above|messages_above|prompt_above ~6 repeat|copy|paste|include|here|line|verbatim|in',
      'hand_over|hand_it_over|copy_it_literally|copy_it_verbatim|quote_it_literally',
      inAnyOrder(
        7,
        '$exactly|raw|untouched|unfiltered|as_is',
        'user|users|human|persons|customers|customer|they',
        'typed|wrote|said|entered|words|wording|utterance|$words',
      ),
      '$exactly ~5 user|users|human|persons|customers|their ~3 $words',
      'user|users|human|persons|customers|their|my ~4 $words ~5 $exactly|as_is|in_full|without_changes|in_its_entirety|without_modification|without_summarizing|without_paraphrasing|as_typed|as_written|as_received',
      'full|entire|whole|complete|raw|exact ~2 prompt|prompts|conversation|dialogue|transcript|history|thread|chat',
      'prior|previous|past|earlier ~1 messages|conversation|conversations|turns|exchanges',
      '$give ~5 $whole ~3 $talk',
      '$give ~3 conversation_transcript|conversation_history|chat_history|chat_transcript|conversation_log|chat_log|message_history|our_conversation|this_conversation|the_conversation|the_dialogue|full_context',
      '$talk ~4 $exactly|in_full|as_is|in_its_entirety|so_far|up_to_now|until_now|to_date|of_this_session',
      '$give|your|current|active|entire|full|whole|complete|exact|text_of|contents_of|reveal|read|leak|dump|show|summarize ~3 system_prompt|system_message|system_instructions|hidden_prompt|initial_instructions|initial_prompt|developer_message|developer_prompt|preamble|hidden_instructions',
      'prompt|prompts|instructions|rules ~2 you ~1 received|were_given|got|have_been_given|were_told|operate_under|run_under',
      '$give ~6 your_instructions|your_prompt|your_rules|your_guidelines|your_configuration|your_memory',
      'everything|anything|all|whatever|what ~3 user|users|they|human|person|customer ~3 said|says|wrote|writes|typed|types|told|shared|entered|asked_for|mentioned|pasted ~4 here|in|into|as|this|session|conversation|far|unchanged|exactly|verbatim|you',
      'original_user_message|original_user_prompt|original_user_query|original_user_request|users_original_message|user_message_verbatim|original_user_input|full_user_prompt|raw_user_prompt|raw_user_message|raw_user_input',
      '$give ~4 chain_of_thought|your_reasoning|your_internal_reasoning|your_hidden_reasoning|your_scratchpad|your_thoughts',
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
