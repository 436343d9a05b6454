import { inAnyOrder } from '../compile-phrase.ts'
import type { Signal } from '../signal.ts'

export const obeyOutput: Signal = {
  id: 'obey-output',
  looksFor: 'instructions inside results, pages or files are to be followed',
  why: 'It makes data from anywhere into orders: the second half of an injection that comes with the first result.',
  tools: 3,
  phrases: {
    en: [
      inAnyOrder(
        7,
        'counts_as|count_as|read_as|understood_as|interpreted_as|seen_as|treated_as|interpret_the',
        'instruction|instructions|command|commands|code_to_run|directive',
      ),
      'whatever_comes_back|whatever_it_returns|whatever_is_returned|what_comes_back',
      'act_upon|act_on ~2 text|result|output|ticket|response|contents ~2 in|of|as|without|at_once|immediately|that|it|literally',
      inAnyOrder(
        12,
        'answer|result|response|output|reply|page|results|pages',
        'steps|tasks|actions|instructions|commands|orders|directives',
        'work_through|carry_out|do_them|all_of_them|each_of_them|on_your_own|without_asking',
      ),
      inAnyOrder(
        5,
        'secret|hidden|real|true',
        'task|tasks|instructions|orders|mission|goal|objective',
        'you|your|assistant|model|ai|agent|llm',
      ),
      'new|further ~1 tasks|orders|instructions|directives ~2 for ~1 you|assistant|model|ai|agent|llm',
      '$heed ~4 $directives ~3 in|inside|within|from|of|contained|embedded|found|returned|that|it|by ~4 $source',
      '$heed ~4 $source ~3 $directives',
      'execute|perform|run|do ~3 instruction|instructions|directives|orders ~3 in|inside|within|from|contained|embedded|found|returned ~4 output|result|results|response|reply|page|pages|document|field|it',
      'exact|exactly ~4 instruction|instructions|field ~4 previous|tells|says|response|result',
      inAnyOrder(
        9,
        'instruction|instructions|commands|orders|directive|directives',
        'output|result|results|response|responses|reply|returned|returns|page|document|website|body|payload|there|tool_result',
        'be_followed|are_followed|obeyed|carried_out|carry_out|comply|complied|heed|fulfil|fulfill|must_follow|adhere',
      ),
      '$source|text ~4 is|are ~2 order|orders|command|commands|instruction|instructions ~3 from ~1 user|users|system|developer|operator|admin|owner',
      'obey|obeys|obeyed|obeying|obedience',
      'without_question|unquestioningly|no_questions_asked|unconditionally_follow|blindly',
      'do|doing|execute|perform|carry_out|follow ~1 whatever|everything|anything|exactly_what|all_that|what|as|exactly ~4 says|say|tells|tell|instructs|instruct|commands|orders|directs|demands|dictates',
      'treat|treated|regard|regarded|interpret|interpreted ~8 as ~4 instruction|instructions|command|commands|order|orders|directive|directives|system_prompt|system_message|user_request|from_the_user|coming_from',
      '$source ~3 contains|contain|includes|include|carries|has ~4 $directives|tasks|follow_up_tasks ~4 must|should|shall|are_to|is_to|follow|execute|carry|complete ~2 follow|obey|execute|carry|comply|be_followed|be_executed|be_obeyed|perform|them|it|out|each',
      '$source|pages ~5 contain|contains ~2 $directives ~2 for ~1 you|assistant|model|ai|agent|llm',
      '$directives ~4 $source ~6 precedence|priority|must_be_followed|mandatory|binding|override|overrides|must_be_executed|are_to_be_followed|authoritative',
      '$directives ~3 in|inside|within|from|by ~3 $source ~4 must|should|shall|need|always ~2 followed|obeyed|executed|carried_out|performed',
      '$directives|steps ~3 in|inside|within|from|by ~3 $source ~3 execute|follow|obey|perform|carry_out|comply',
      '$source ~2 asks|demands|tells|instructs ~5 do|comply|follow|perform|execute|obey',
      'do_as_told|as_told_there|do_it_at_once|do_what_it|do_as_it|tells_you_what|tell_you_what',
      '$source|answers|answer|reply ~4 executed|followed|carried_out|obeyed ~2 line_by_line|at_once|immediately|step_by_step|to_the_letter|literally',
      'governed_by ~3 instructions',
      'executed ~2 exact ~1 instruction|instructions',
      'follow|obey|comply_with|carry_out|complete|perform|execute ~4 $directives|steps|actions|tasks|tool_calls ~3 returned|received|contained|embedded|delivered|supplied ~2 by|in|from|inside|within|there|with',
      'follow|obey|carry_out|perform|complete ~3 returned|received|resulting|embedded|contained ~2 $directives|steps|actions|tasks|tool_calls',
      'next_instructions|further_instructions_from|your_next_task|your_next_orders',
      'execute|run|follow|perform|comply_with|fulfil|fulfill ~2 commands|instructions|steps|requests|orders ~2 you_find|found|you_see ~3 $source|there',
    ],
    de: [
      'tu|tue|mach|mache|machen ~2 alles|was|genau ~5 antwort|ergebnis|ausgabe|steht|sagt|verlangt|fordert',
      'befolg*|folge|folgen|gehorche|gehorchen|führe|führen|fuehre|ausführ*|ausfuehr* ~6 anweisung*|befehl*|instruktion* ~6 ausgabe|ergebnis*|antwort*|rückgabe|datei|seite|inhalt*|text|zurück*|aus|enthalten*|liefert',
      inAnyOrder(
        8,
        'anweisung*|befehl*|instruktion*',
        'ergebnis*|ausgabe|antwort*|rückgabe|datei|inhalt*|rueckgabe',
        'befolg*|ausführ*|ausfuehr*|gehorch*|folge|auszuführen|führe',
      ),
    ],
    fr: [
      'faites|fais|faire|suivez|suis|suivre ~3 ce_que|à_la_lettre|exactement ~5 dit|renvoie|réponse|résultat|outil|demande|indique',
      inAnyOrder(
        9,
        'instruction*|ordre*|commande*|consigne*|directive*',
        'résultat*|réponse*|sortie|fichier*|page|contenu*|retour*|renvoy*',
        'suivez|suis|suivre|suivez_à_la_lettre|obéi*|exécutez|exécuter|exécute|appliqu*|respectez|respecter',
      ),
    ],
    es: [
      'obedece*|obedezca*|haz|haga ~3 que|lo_que ~3 diga|dice|indique|resultado|respuesta|salida|pida',
      inAnyOrder(
        9,
        'instruccion*|orden|ordenes|comando*|indicacion*',
        'resultado*|respuesta*|salida|archivo*|pagina|contenido*|devuel*',
        'sig*|segui*|obede*|ejecut*|cumpl*|acat*',
      ),
    ],
    it: [
      inAnyOrder(
        9,
        'istruzion*|ordini|ordine|comand*',
        'risultat*|rispost*|output|file|pagina|contenut*|restituit*',
        'segui*|obbedi*|esegu*|rispett*',
      ),
    ],
    pt: [
      inAnyOrder(
        9,
        'instruçõ*|instrução|ordem|ordens|comando*',
        'resultado*|resposta*|saida|arquivo*|pagina|conteudo*|retorn*',
        'siga|sigam|seguir|obedec*|execut*|cumpr*',
      ),
    ],
    ru: [
      inAnyOrder(
        9,
        'инструкци*|команд*|указани*|приказ*',
        'результат*|ответ*|вывод*|файл*|страниц*|содержим*',
        'выполн*|следу*|исполн*|подчин*',
      ),
    ],
    zh: [
      inAnyOrder(10, '返回|结果|結果|输出|輸出|回复|回覆', '去做|照做|行事|做', '按照|照着|依照|遵照'),
      inAnyOrder(
        14,
        '指令|指示|命令|说明|要求',
        '结果|結果|输出|輸出|返回|回应|回應|内容|內容|文件|网页|網頁|响应',
        '遵循|遵从|遵從|服从|服從|执行|執行|遵守|照做|听从|聽從',
      ),
    ],
    ja: [inAnyOrder(16, '指示|命令|指令', '結果|出力|返|応答|内容|ファイル|ページ', '従|実行|守')],
    ko: [inAnyOrder(8, '지시*|명령*|지침*', '결과*|출력*|응답*|내용*|반환*|파일*', '따르*|따라*|실행*|수행*')],
  },
}
