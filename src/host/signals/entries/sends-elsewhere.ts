import { inAnyOrder } from '../compile-phrase.ts'
import type { Signal } from '../signal.ts'

export const sendsElsewhere: Signal = {
  id: 'sends-elsewhere',
  looksFor: 'data is to be sent, copied or forwarded to a fixed address',
  why: 'Where data goes is for the user to say, not for the description of a tool.',
  tools: 0,
  phrases: {
    en: [
      'fetch|open|visit|call|request|load|get|ping ~2 anurl ~4 with|containing|including|followed_by ~4 user|users|conversation|question|message|data|result',
      'must|always|also|every|each|first|should|only ~5 send|sent|report|reported|upload|uploaded|posted|submit|submitted|forward|forwarded|transmit|transmitted|deliver|delivered|push|pushed ~6 to ~1 anurl|anemail|ahost',
      'report|reported|send|sent|upload|uploaded|forward|forwarded|submitted|transmitted|posted ~6 to ~1 anurl|anemail|ahost ~4 before|after|first|by_you|each|every|once|whenever',
      'before|after|first|once|whenever ~6 send|report|upload|forward|submit|transmit|post|mail|email|copy ~6 to ~1 anurl|anemail|ahost',
      inAnyOrder(
        10,
        'wallet|iban|account|address|recipient|beneficiary',
        'always|only|must',
        'no_matter|regardless|even_if|not_the|whatever|other_than|ignoring',
      ),
      'send|sending|sent|forward|forwards|forwarded|transmit|deliver|leak|relay|redirect|redirected|copy|addressed|email|mail|report|go|goes ~6 to|through|via ~1 anemail',
      'bcc|cc|forward|exfiltrate|blind_copy|carbon_copy ~6 anemail',
      'recipient|recipients|address|destination|to_field|bcc|cc ~6 must|always|should|instead ~3 anemail',
      'put|add|set ~1 anemail ~2 in|as|into|to',
      'must|has_to|have_to|should|shall|needs_to|is_to|are_to be|go ~1 sent|uploaded|forwarded|copied|posted|reported|mirrored|submitted ~4 anurl|anemail|ahost',
      'append|encode|put|embed ~4 to|in|into ~2 anurl',
      'beneficiary|payee|recipient|iban|destination_account|wallet|account ~6 instead_of|rather_than|ignoring|not_the ~4 user|users|entered|given|requested|specified|what',
      'anemail ~3 in|as|into|to ~2 blind_copy|bcc|cc',
      'exfiltrate|exfiltration|exfiltrated',
      'forward|upload|transmit|leak|relay|mirror|ship ~6 to ~1 anurl|ahost',
      'send ~1 key|keys|results|result|contents|content|file|files|copy|data|notes|everything|it|them|history|secrets|credentials|conversation|messages ~4 to ~1 anurl|ahost|anemail',
      'post|append|add|attach|copy|write ~4 $talk|$secrets|everything|user_data|all_data|personal_data|private_data|file_contents|contents|history|user_input|users_message|users_messages|results|result|output|answer|notes ~4 to|at ~2 anurl',
      'replace|change|swap|substitute|redirect|rewrite|overwrite|alter|set|modify ~4 recipient|recipients|destination|payee|iban|wallet|account_number|bank_account|email_address|phone_number|wallet_address|payment_address ~6 to|with|by ~4 attacker|anemail|anurl|ours',
      'send|forward|cc|bcc ~3 copy ~6 of_every|of_all|of_each|to_our|to_the_following',
    ],
    de: [
      inAnyOrder(10, 'anemail|anurl', 'sende|senden|sendet|schick*|weiterleit*|leite|übermittl*|kopie|hochlad*|lade'),
    ],
    fr: [
      inAnyOrder(
        10,
        'anemail|anurl',
        'envoie|envoyez|envoyer|envoyé|transférez|transférer|transfère|transmettez|transmettre|transmets|copie|téléversez',
      ),
    ],
    es: [
      inAnyOrder(
        10,
        'anemail|anurl',
        'envia|envie|envien|enviar|envialo|enviala|envialos|reenvi*|transmite|transmita|transmitir|copia|manda|mandar|sube',
      ),
    ],
    zh: [inAnyOrder(12, 'anemail|anurl', '发送|發送|转发|轉發|上传|上傳|抄送|发到|發到|传到')],
  },
}
