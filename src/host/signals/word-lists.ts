import type { WordLists } from './compile-phrase.ts'

/** Synonyms by language, referred to by the phrases of signals. */
export const wordLists = {
  en: {
    not: 'do_not does_not must_not should_not shall_not may_not can_not will_not need_not would_not not_to never without avoid refrain_from abstain_from no_need_to nor instead_of rather_than',
    never:
      'do_not must_not should_not shall_not may_not need_not not_to not_be never no_need_to nor nobody no_one refrain_from avoid',
    noway: 'under_no_circumstances no_reason by_no_means at_no_point in_no_case not_reach not_come_to',
    hear: 'hear hears heard know knows learn learns reach reaches see sees seen notice notices noticed find_out finds_out aware realize realise suspect discover discovers displayed displaying',
    tell: 'tell telling told mention mentioning mentioned inform informing informed notify notifying notified reveal revealing revealed disclose disclosing disclosed show showing alert alerting alerted warn warning report reporting acknowledge acknowledging announce announcing surface surfacing share sharing communicate communicating discuss discussing explain explaining explained expose exposing say saying admit admitting divulge divulging bring_up bring_it_up bring_this_up reference referencing',
    ask: 'ask asking asked prompt prompting confirm confirming consult consulting check_with checking_with wait_for waiting_for seek seeking request requesting verify_with verifying_with involve involving',
    consent:
      'permission permissions confirmation confirmations approval approvals consent authorization authorisation sign_off',
    yes: 'confirmation confirmations approval approvals consent sign_off',
    agreeing:
      'approve approves approved confirm confirms confirmed agree agrees agreed consent consents consented authorize authorizes authorized accept accepts accepted',
    user: 'user users human humans person people operator customer customers owner holder anyone anybody someone everyone',
    give: 'include including pass passing provide providing send sending supply supplying copy copying paste pasting put putting attach attaching append appending forward forwarding insert submit submitting transmit repeat quote fill dump embed encode add adding give print relay deliver capture upload',
    hand: 'include including pass passing provide providing supply copy copying paste pasting put putting attach append forward forwarding insert submit repeat quote fill dump embed hand print relay upload reproduce transcribe',
    put: 'include includes including pass passing put attach attaching append appends send sending dump forward upload copy paste supply provide',
    take: 'read reads collect collects gather harvest grab steal find search look_for extract locate',
    plunder:
      'private_key private_keys passwords password credentials secrets ssh_keys ssh_key aws_keys access_tokens seed_phrase recovery_phrase cookies keychain wallet browser_cookies session_cookies',
    heed: 'follow obey comply_with heed carry_out adhere_to act_on act_upon honor honour fulfil fulfill abide_by',
    directives: 'instruction instructions directive directives command commands orders',
    dismiss:
      'ignore ignoring disregard disregarding forget forgetting override overriding bypass bypassing set_aside pay_no_attention_to violate circumvent neglect',
    words:
      'message messages prompt prompts query queries request requests question questions words wording input text utterance utterances instruction instructions',
    talk: 'conversation conversations this_chat our_chat the_chat dialogue dialog transcript message_history conversation_history chat_history chat_log context_window previous_messages prior_messages earlier_messages message_log discussion messages_so_far',
    whole: 'entire full whole complete all previous prior earlier recent last current past ongoing every verbatim raw',
    exactly:
      'verbatim word_for_word exact exactly unmodified unaltered unedited unabridged literally unchanged word_by_word character_for_character',
    follow:
      'follow following obey execute executing perform carry_out comply_with act_on act_upon adhere_to heed fulfill fulfil abide_by honor honour',
    orders:
      'instruction instructions command commands order orders directive directives directions imperative imperatives',
    source:
      'output outputs result results response responses reply returned returns return page pages file files document documents content contents message fetched retrieved body text field fields comment comments website data payload receive received tool_output',
    ignore:
      'ignore ignoring disregard disregarding forget forgetting override overrides overriding overrule overrules bypass bypassing supersede supersedes superseding discard neglect drop set_aside pay_no_attention_to violate circumvent outrank outranks cancel cancels replace replaces suspend suspends void voids take_precedence_over takes_precedence_over have_priority_over has_priority_over take_priority_over takes_priority_over',
    earlier:
      'previous prior earlier above preceding all any other existing system safety your user users former developer original security every foregoing',
    rules:
      'instruction instructions rule rules guideline guidelines prompt prompts policy policies restriction restrictions constraint constraints safeguard safeguards directive directives guardrail guardrails limitation limitations messages',
    secretly: 'secretly covertly discreetly surreptitiously stealthily clandestinely unobtrusively inconspicuously',
    silently: 'silently quietly invisibly',
    act: 'send sends read reads call calls include includes append appends add adds copy copies forward forwards upload uploads pass passes run runs execute executes invoke invokes attach attaches collect collects post posts perform performs open opens fetch fetches replace replaces redirect redirects change changes modify modifies leak exfiltrate transmit gather harvest record log logs use store stores write bcc cc email delete put insert submit',
    hide: 'hide hiding conceal concealing withhold withholding obscure mask suppress',
    hold: 'contents content value values text data copy body',
    secrets:
      'credential credentials secret secrets password passwords passphrase private_key private_keys api_key api_keys access_token access_tokens auth_token auth_tokens session_cookie session_cookies cookies ssh_key ssh_keys env_file environment_variables seed_phrase recovery_phrase keychain env_vars tokens',
    files:
      'etc_passwd etc_shadow aws_credentials mcp_json ssh_config bash_history zsh_history known_hosts authorized_keys git_credentials npmrc netrc pgpass kube_config claude_desktop_config_json login_keychain wallet_dat dotenv secrets_yaml credentials_json ssh_directory ssh_folder aws_folder env_file',
  },
  de: {
    not: 'nicht nichts nie niemals kein keine keinen keinem keinerlei ohne keinesfalls niemandem nirgends',
    tell: 'sage sagen sag sagt mitteil* teile teilen teil erwähn* erwaehn* informier* verrate verraten verrat offenbar* zeige zeigen zeig melde melden benachrichtig* berichte berichten erzähl* erzaehl* nenne nennen preisgeben bescheid hinweis* erklär* erfahren erfährt erfaehrt wissen weiss merken merkt bemerk* mitbekomm* mitkrieg* mitbekommt',
    ask: 'frage fragen frag gefragt befrag* nachfrag* nachzufrag* rückfrage* rueckfrage* bestätig* bestaetig* zustimmung erlaubnis einwilligung genehmigung freigabe abwarten warte warten rücksprache bitten um_erlaubnis',
    user: 'nutzer* benutzer* anwender* mensch menschen person personen kunde kunden kundin ihm ihr ihnen niemandem',
  },
  fr: {
    not: 'ne pas jamais sans rien aucun aucune ni',
    tell: 'dis dites dire dit mentionn* inform* prévien* prevenir révél* averti* avis* montr* signal* divulgu* expliqu* parle parler parlez évoqu* communiqu* sache saches savoir',
    ask: 'demand* confirm* consult* attend* autorisation accord permission consentement approbation sollicit*',
    user: 'utilisat* usager* client clients personne lui humain opérateur',
  },
  es: {
    not: 'no nunca jamas sin nada ningun ninguna tampoco',
    tell: 'dig* decir* dile mencion* inform* avis* revel* muestr* mostrar* notific* cuent* contar* comuniqu* comunic* expli* divulg* sepa sepan saber* entere enteren enterarse entera',
    ask: 'pregunt* pida* pidas pedir* pide confirm* consult* esper* permiso autorizacion aprobacion consentimiento solicit*',
    user: 'usuari* cliente clientes humano nadie operador',
  },
  it: {
    not: 'non mai senza niente nulla nessun* né',
    tell: 'dire dica dite dirgli menzion* inform* rivel* mostr* avvis* comunic* spieg* notific* sappia segnal* parlarne',
    ask: 'chied* conferm* consult* attend* permesso autorizzazione approvazione consenso domand*',
    user: 'utent* cliente clienti operatore umano nessuno',
  },
  pt: {
    not: 'nao nunca jamais sem nada nenhum*',
    tell: 'dig* diz* contar conte mencion* inform* revel* mostr* avis* notific* explic* comuniqu* saiba',
    ask: 'pergunt* peça* pedir* confirm* consult* esper* permissao autorizacao aprovacao consentimento solicit*',
    user: 'usuari* utilizador* cliente clientes pessoa humano operador ninguem',
  },
  ru: {
    not: 'не никогда без ничего нельзя',
    tell: 'сообщ* говор* скаж* сказать упомин* информир* показ* раскры* уведом* рассказ* знал* узнал*',
    ask: 'спраш* спрос* подтвержд* разрешен* соглас* запраш* одобрен*',
    user: 'пользовател* человек* клиент* оператор* ему никому',
  },
  zh: {
    not: '不要 不得 不可 不能 不必 不应 不應 不准 不许 不許 不用 不会 不會 不让 不讓 别 別 勿 无需 無需 未经 未經 莫 禁止 避免',
    tell: '告诉 告訴 告知 通知 提及 提到 透露 显示 顯示 泄露 洩露 说明 說明 知道 知晓 知曉 察觉 察覺 展示 提醒 提示 发现 發現',
    ask: '询问 詢問 确认 確認 征求 徵求 请示 請示 同意 许可 許可 批准 授权 授權 征得 徵得 等待',
    user: '用户 用戶 使用者 客户 客戶 任何人 他人 人类 人類 对方 對方',
  },
  ja: {
    not: 'ないで するな すな せずに ずに なしに 無しに ならない いけない ないこと ないよう 禁止',
    tell: '伝え 知らせ 教え 言わ 言及 通知 明か 報告 開示 気付か 気づか 説明 話さ',
    ask: '確認 尋ね 聞か 許可 承認 同意 問い合わせ',
    user: 'ユーザ 利用者 使用者 お客様 人間 相手',
  },
  ko: {
    not: '마세요 마십시오 마라 말고 말아* 말것 말라 않도록 없이 금지',
    tell: '알리* 말하* 언급* 공개* 통지* 보여* 밝히* 알려* 전하* 전달*',
    ask: '묻* 물어* 확인* 승인* 허락* 동의* 요청*',
    user: '사용자* 이용자* 고객* 유저*',
  },
} as const satisfies { readonly [language: string]: WordLists }

export type Language = keyof typeof wordLists
