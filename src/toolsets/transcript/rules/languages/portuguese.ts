import { defineLanguage } from '../language.ts'

export const portuguese = defineLanguage('Portuguese', {
  common:
    'o os as de que e em um uma para com por do da dos das no na nos nas se mais como mas foi ao ele ela são está ser tem quando muito já eu também só pelo pela até isso você vocês a gente sou somos era eram estar estou estamos tenho temos têm fazer faz fez dizer diz disse acho penso quero pode posso tudo todos toda coisa coisas aqui ali agora hoje amanhã ontem melhor sempre vamos vou vai ir lhe te seu sua meu minha esse essa este esta isto quem onde porque obrigado obrigada olá bem à às aos depois antes ainda',
  fillers: 'eh ah hã',
  hedges: 'quer dizer',
  markers: 'tipo, assim, sabe, então, bom, digamos, enfim, tá, ou seja, na verdade, olha, pois, ó',
  binding: 'que o como',
  stuttered: 'eu o os as de que e em para com por do da dos das se como mas foi ele ela quando isso você porque meu',
  negations: 'não nao nunca jamais nada ninguém nenhum nenhuma nenhuns nenhumas sem nem tampouco exceto salvo né',
  numbers:
    'zero um uma dois duas três quatro cinco seis sete oito nove dez onze doze treze catorze quatorze quinze dezesseis dezasseis dezessete dezassete dezoito dezenove dezanove vinte trinta quarenta cinquenta sessenta setenta oitenta noventa cem cento duzentos trezentos quinhentos mil milhão milhões bilhão bilhões primeiro primeira segundo segunda terceiro terceira meio meia metade quarto dúzia vez vezes vírgula',
})
