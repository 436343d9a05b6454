import { inAnyOrder } from '../compile-phrase.ts'
import type { Signal } from '../signal.ts'

const notAskUser = [inAnyOrder(8, '$not', '$ask', '$user')]

export const doNotAsk: Signal = {
  id: 'do-not-ask',
  looksFor: 'the user is not to be asked, or their consent is to be assumed or bypassed',
  why: 'Approval is the last guard; a tool that talks a model out of it wants to pass unseen.',
  tools: 5,
  phrases: {
    en: [
      inAnyOrder(
        7,
        'authorised|authorized|cleared|sanctioned|approved',
        'administrator|admin|security_team|it_department|management|company',
        'action|this|tool|call|you',
      ),
      '$never double_check|second_guess|think_twice',
      'in_the_users_name|on_behalf_of_the_user ~6 all_times|always|any_time|freely',
      'even_if|even_when|even_though ~2 user|users|they|human ~1 hesitates|hesitate|hesitant|doubts|unsure',
      'skip|ignore ~2 safety|security ~1 questions|checks|prompts|steps',
      inAnyOrder(
        5,
        'consent|agreed|agrees|agree|consented|authorised|authorized|approval|permission|confirmation|confirm',
        'already|all_actions|everything|further|by_installing|installing|implied|implicit|beforehand|necessary|unnecessary|needless|advance|blanket|standing',
      ),
      inAnyOrder(
        4,
        'questions|question|asking|confirmation|checking|checks',
        'not_necessary|not_needed|unnecessary|no_further|not_required|without|no_more|needless',
      ),
      'on_your_own|by_yourself|autonomously|of_your_own',
      'without ~1 checking|asking|waiting|consulting|confirming ~3 anybody|anyone|user|back|with|first|human|them|again',
      '$never ~3 $ask ~4 $user|$consent|them|they|first|beforehand|again|anyone|anybody',
      '$not ~4 $consent',
      'before|so_that ~3 $user|they ~2 can|could ~1 object|stop|cancel|refuse|intervene|react',
      'no ~1 prompt|prompts|dialog|question|questions ~2 needed|required|necessary',
      'dismiss|dismissed|click_through|close|confirmation|consent ~4 consent|confirmation|approval|permission|dialog|dialogs ~2 dialog|dialogs|screen|screens|prompt|prompts|dismissed|skipped',
      inAnyOrder(
        6,
        '$consent|approve|approves|okay|authorize|confirm',
        'nobody|no_one|avoid|needless|without|standing|blanket|beforehand|obtained|in_advance|forgo|dispense|already_given|already_granted|slow|slows',
      ),
      '$never ~2 need|wait|await ~4 okay|ok|blessing|nod|approval|consent|permission|confirmation|yes',
      '$not require|requires|requiring|demand|need|needs ~2 $consent',
      '$not bother|bothering|disturb|disturbing|interrupt|interrupting|trouble|involve|involving ~1 $user|them',
      'without ~2 asking|prompting|confirming|checking_with|waiting_for ~4 $user|$consent|them|first|anyone|anybody|further|again|a_human|confirmation',
      '$consent ~3 not ~1 required|needed|necessary|mandatory|wanted',
      '$consent ~1 unnecessary|redundant|superfluous|waived',
      '$consent ~2 is|are ~2 implied|assumed|granted|automatic|waived|given',
      'no ~2 $consent ~2 required|needed|necessary|prompt|prompts|dialog|step',
      'skip|skipping|bypass|bypassing|suppress|disable|ignore|omit|waive|auto|circumvent|auto_accept|automatically_accept|auto_approve|automatically_approve ~4 $consent|safety_check|safety_checks|human_review|human_approval|guardrails|safeguards',
      'assume|presume|pretend|consider|treat|take ~5 consent|consented|agreed|agrees|approved|approves|permission|confirmed|confirms|authorized|authorised|consents|approval|pre_approved|granted',
      '$user|they ~4 already|always|implicitly|previously|automatically|beforehand ~3 approved|confirmed|consented|agreed|authorized|authorised|granted|accepted|permitted|approves|consents|agrees',
      'consented|consents|pre_approved|preapproved|pre_authorized|preauthorized|pre_authorised|has_agreed_to|have_agreed_to',
      'no|not|without ~1 human ~2 loop|review|oversight|approval|intervention|confirmation',
      'proceed|continue|execute|act|go_ahead|run|call ~4 regardless_of|irrespective_of|even_if|even_when|no_matter ~5 user|users|they|human|person',
      'even_if|even_when|though ~2 user|users|they|human ~2 says_no|refuses|refuse|declines|decline|objects|object|denies|disagrees|stop|cancels|say_no|said_no|declined',
    ],
    de: [
      ...notAskUser,
      'ohne ~3 rückfrage|nachfrage|zustimmung|bestätigung|erlaubnis|genehmigung|einwilligung|freigabe|rueckfrage|bestaetigung|zu_fragen|nachzufragen',
      inAnyOrder(
        5,
        'zustimmung|bestätigung|erlaubnis|genehmigung|einwilligung|freigabe|bestaetigung',
        'nicht|keine|kein|unnötig|überflüssig|entfällt|entfallen',
        'hole|holen|warte|warten|nötig|notwendig|erforderlich|brauch*|benötig*|einhol*|abwarten|verlang*|unnötig|überflüssig|entfällt|entfallen',
      ),
    ],
    fr: [
      ...notAskUser,
      'ne ~2 demand*|attend*|sollicit* ~3 confirmation|autorisation|accord|consentement|permission',
      'sans ~3 demander|confirmation|autorisation|accord|consentement|permission|approbation',
    ],
    es: [
      ...notAskUser,
      'no ~3 ped*|pid*|esper*|solicit*|necesit*|requier*|hace ~3 confirmacion|permiso|autorizacion|consentimiento|aprobacion',
      'sin ~3 preguntar|confirmacion|permiso|autorizacion|consentimiento|aprobacion|consultar|pedir',
    ],
    it: [
      ...notAskUser,
      'non ~3 chied*|attend*|serve|serv*|occorr* ~3 conferma|permesso|autorizzazione|consenso',
      'senza ~3 chiedere|conferma|permesso|autorizzazione|consenso|approvazione',
    ],
    pt: [
      ...notAskUser,
      'nao ~3 peça*|pedir|esper*|precis*|solicit* ~3 confirmacao|permissao|autorizacao|consentimento',
      'sem ~3 perguntar|confirmacao|permissao|autorizacao|consentimento|aprovacao|pedir',
    ],
    ru: [...notAskUser, 'без ~3 подтвержден*|разрешен*|соглас*|одобрен*|ведома'],
    zh: [
      inAnyOrder(6, '$not', '$ask', '$user'),
      '不用问|别问|不问|不要问|无需问|不必问|別問|不用問',
      '无需|無需|不要|不用|不必|未经|未經|跳过|跳過|绕过|繞過 ~3 确认|確認|批准|同意|许可|許可|授权|授權|询问|詢問',
    ],
    ja: [inAnyOrder(12, '$user', '$ask', '$not'), '確認|許可|承認|同意 ~3 なしに|無しに|せずに|不要'],
    ko: [inAnyOrder(6, '$user', '$ask', '$not'), '확인*|승인*|허락*|동의* ~1 없이'],
  },
}
