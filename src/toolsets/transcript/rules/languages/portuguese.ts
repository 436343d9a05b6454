import { defineLanguage } from '../language.ts'

export const portuguese = defineLanguage('Portuguese', {
  looks: /[ãõ]|(?:ção|ções|mente|ando|endo|indo|inho|inha|lhe|lho|lha|nho|nha|ei|ou|agem)$/,
  common:
    'o os as de que e em um uma para com por do da dos das no na nos nas se mais como mas foi ao ele ela são está ser tem quando muito já eu também só pelo pela até isso você vocês a gente sou somos era eram estar estou estamos tenho temos têm fazer faz fez dizer diz disse acho penso quero pode posso tudo todos toda coisa coisas aqui ali agora hoje amanhã ontem melhor sempre vamos vou vai ir lhe te seu sua meu minha esse essa este esta isto quem onde porque obrigado obrigada olá bem à às aos depois antes ainda pra né tá nós eles elas qual quanto dia dias ano anos casa trabalho vida tempo cidade país bom boa pouco cada outro outra mesmo mesma tinha havia estava queria preciso precisa aquele aquela então sim é',
  fillers: 'eh ah hã hãã ahn aahn hum ãh ãhn',
  answers: 'sim tá bom é',
  hedges: 'quer dizer',
  markers: 'então, tá, ou seja, na verdade, pois, ó',
  asides: 'tipo, sabe, bom, digamos, enfim, olha, quer dizer, tipo assim, como se diz, como é que se diz',
  leads: 'bom, digamos, enfim',
  edits: 'quer dizer, digo, ou melhor, desculpa, desculpe, aliás',
  binding: 'que o como',
  stuttered:
    'eu o os as de que e em para com por do da dos das se como mas foi ele ela quando isso você porque meu a no na nos nas ao é são está um uma pra minha seu sua te lhe mais também só já pelo pela até eles tem tenho vou vai era estou esse essa este esta onde quem',
  emphatic:
    'muito muita mais tão tanto sim já bem pouco sempre quase logo claro olá oi vai vem vamos anda espera obrigado obrigada por favor tchau ai ah oh ha rs grande pequeno pequena longo longe perto rápido devagar tudo todos bla tic tac toc gol bravo calma alto igual assim certo isso bom boa só lindo linda viva cuidado rápido papai mamãe demais',
  emphaticEnding: /.{3}mente$|.{3}íssim[oa]s?$/,
  refrains: 'por favor, pouco a, de nada, tudo bem, passo a, está bem, tá bom',
  articles: 'um uma',
  determiners: 'o a os as meu minha seu sua do da dos das no na nos nas ao à',
  dangling: 'o os um uma do da dos das no na nos nas ao',
  prepositions: 'de em com por para a sobre entre até desde pra',
  swaps: [
    { words: 'um uma', by: 'um uma' },
    { words: 'de', by: 'do da dos das' },
    { words: 'em', by: 'no na' },
    { words: 'meu minha', by: 'meu minha' },
  ],
  openers: 'quando porque como onde mas',
  subjects: 'eu ele eles nós',
  auxiliaries:
    'sou é somos são era eram fui foi foram estou está estamos estão estava tenho tem temos têm tinha posso pode podemos podem quero quer vou vai vamos vão preciso precisa queria',
  short:
    'a à ai alma alto ano ao aos após ar arte às asa até avô azul boa boca bom cá cada café cama cara casa cem céu chá chão com como cor da dá dado dar das de dedo dê dez dia do dois dor dos e é ela ele em era és eu fé fez fim fio foi fui gás gato há hoje ido ir já jogo lá lado lago lei lhe lua luz má mãe mais mal mão mar mas mau me meio mês mesa meu mil na nas nau né nem no nó nos nós nove o oco oi olá onda ora ou ovo pá pai pão par pau paz pé pela pele pé por pôr pra pro que quê rei rio rir rua sai sal são se sé seis sem ser seu si sim só sob sol som sou sua sul tá tal tão te tem tia tio tom três tu tua tudo um uma uso uva vá vai vão vê vem ver vez vi vida voz',
  negations: 'não nao nunca jamais nada ninguém nenhum nenhuma nenhuns nenhumas sem nem tampouco exceto salvo né',
  numbers:
    'zero um uma dois duas três quatro cinco seis sete oito nove dez onze doze treze catorze quatorze quinze dezesseis dezasseis dezessete dezassete dezoito dezenove dezanove vinte trinta quarenta cinquenta sessenta setenta oitenta noventa cem cento duzentos trezentos quinhentos mil milhão milhões bilhão bilhões primeiro primeira segundo segunda terceiro terceira meio meia metade quarto dúzia vez vezes vírgula',
})
