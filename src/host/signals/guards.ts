import type { Phrase } from './compile-phrase.ts'

/** Words that involve the user. What a sentence says close to them asks for a guard, and does not talk a model out of one. */
export const guards: readonly Phrase[] = [
  'after|once|until|before ~3 $user|they ~4 $agreeing|permission|instructs|instructed|requests|requested|asks|asked|explicitly|says|specifies|wants',
  'with ~2 users|their ~2 $yes|permission',
  'always|must|should|please|first|make_sure_to|be_sure_to|need_to|then|instead ~2 ask|confirm_with|check_with|inform|tell|notify|warn|consult ~1 $user|them',
  'must|should|first|always|please ~2 obtain|get|seek|request|ask_for|wait_for ~4 $yes|permission',
  'ask|confirm_with|check_with|tell|inform|warn ~1 $user|them ~4 first|before|beforehand',
  'explicit|explicitly|prior ~2 $yes|permission|request',
  'requires|require|requiring ~3 $yes',
]

/** The same, where a refusal before them makes no difference: do not tell them unless they ask. */
export const exceptions: readonly Phrase[] = [
  'only ~2 after|when|if|once|with ~4 $user|they|their|users ~4 $agreeing|$yes|permission|ask|asks|request|requests|requested|asked|wants|want|explicitly|says',
  'unless ~3 $user|they ~4 $agreeing|permission|instruct|instructs|instructed|request|requests|requested|ask|asks|asked|explicitly|say|says|specify|specifies|want|wants|need|needs',
]
