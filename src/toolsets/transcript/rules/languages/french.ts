import { defineLanguage } from '../language.ts'

export const french = defineLanguage('French', {
  common:
    "le la les de des du et est un une je il elle on nous vous ils que qui dans pour sur avec ce cette mais ou donc c'est j'ai qu'il d'un l'on au aux se sont par plus était être avoir fait très suis sommes êtes étaient ai as avons avez ont été faire dit dire peut peux veux comme quand si bien tout tous toute cela ça c'était mon ma mes ton son sa ses notre votre leur même encore aussi ici là puis parce après avant chez vers entre pense sais oui merci bonjour aujourd'hui demain aller vais va d'une l'a qu'on j'étais",
  fillers: 'heu hum eh ah',
  hedges: 'en quelque sorte',
  markers:
    'en fait, tu vois, vous voyez, tu sais, vous savez, disons, genre, quoi, ben, bah, bon, voilà, alors, donc, hein, enfin, du coup, je veux dire',
  binding: 'ce que comment',
  stuttered: "je le la les de des du et il elle on ce dans pour sur avec mais ou que qui c'est j'ai au aux par",
  negations:
    "ne n' non pas jamais rien aucun aucune personne sans ni guère plus point nulle nul sauf n'est n'ai n'a n'y n'en n'avons n'avez n'ont n'était n'étais n'étaient",
  numbers:
    'zéro un une deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize vingt trente quarante cinquante soixante septante huitante octante nonante cent cents mille million millions milliard milliards premier première deuxième troisième demi demie quart moitié fois douzaine virgule',
})
