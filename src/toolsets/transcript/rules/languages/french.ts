import { defineLanguage } from '../language.ts'

export const french = defineLanguage('French', {
  looks: /[çœèêâîôûëï]|^(?:[cdjlmnst]|qu)'|(?:eaux?|aux|oix|eur|eux|euse|ais|ait|ez|ent|elle|ette)$/,
  common:
    "le la les de des du et est un une je il elle on nous vous ils elles que qui dans pour sur avec ce cette ces mais ou donc c'est j'ai qu'il d'un l'on au aux se sont par plus était être avoir fait très suis sommes êtes étaient ai as avons avez ont été faire dit dire peut peux veux veut comme quand si bien tout tous toute cela ça c'était mon ma mes ton ta tes son sa ses notre votre leur leurs même encore aussi ici là puis parce après avant chez vers entre pense sais oui merci bonjour aujourd'hui demain hier aller vais va d'une l'a qu'on j'étais à en y tu te me moi toi lui eux où quel quelle quels quelles quoi pourquoi comment combien alors voilà bon ben enfin faut peut-être beaucoup peu trop toujours maintenant autre autres deux petit petite grand grande gens chose choses temps jour jours année années vie homme femme enfant enfants maison ville pays travail monde s'il d'accord qu'est n'est l'année depuis pendant sous contre sans voir vu mis pris parle parler voudrais j'aime j'avais il y'a on a trouve crois dois doit",
  fillers: 'heu euh hum eh ah ben bah beh mmh mh hem euhm ahem',
  answers: "bon oui non d'accord ouais voilà ok bien quand si là la oh",
  hedges: 'en quelque sorte',
  markers: 'en fait, voilà, alors, donc, du coup',
  asides:
    'tu vois, vous voyez, tu sais, vous savez, disons, genre, quoi, bon, hein, enfin, je veux dire, eh bien, comment dire, on va dire, bon ben, si tu veux, si vous voulez',
  leads: 'bon, eh bien',
  edits: 'je veux dire, pardon, excusez-moi, excuse-moi, ou plutôt, je voulais dire, désolé',
  binding: 'ce que comment',
  stuttered:
    "je le la les de des du et il elle on ce cette ces dans pour sur avec mais ou que qui c'est j'ai au aux par à en y tu ils elles est sont était suis ai a ont mon ma mes ton ta tes son sa ses notre votre leur leurs comme quand parce donc si où qu'il qu'on qu'elle qu'ils d'un d'une c'était il y se me te lui quel quelle entre chez vers depuis pendant sous cela ça être avoir peut veux voudrais dont puis car",
  emphatic:
    'très bien oui si ouais trop super vite doucement petit petite grand grande gros grosse long longue loin longtemps beaucoup peu bon fort ah oh ha hé ho hey là allez allons viens venez attends attendez attention bravo merci pardon bonjour salut ok okay chut toc boum bla blabla voilà encore toujours tellement tant stop regarde écoute écoutez regardez papa maman dodo coucou pan tic tac vlan hop alléluia hourra pareil',
  emphaticEnding:
    /^(?:vrai|douce|lente|telle|absolu|complète|totale|extrême|genti|rapide|sérieuse|énormé|carré|final|juste|forte|haute|profondé|seule)ment$/,
  refrains:
    "s'il vous plaît, s'il te plaît, ça va, allez y, au revoir, bien sûr, oh là, tout de, un peu, petit à, d'accord d'accord, mot à, pas à",
  doubles: [
    { words: 'nous vous faire' },
    { words: 'en', beforeEnding: /ant$/ },
    { words: 'est', since: "l'est qui ce", clauses: true },
  ],
  slips: [
    {
      words: 'nous vous',
      before:
        'avons avez avions aviez aurons aurez aurions auriez allons pouvons pouvez pourrez pouviez savons savez voulons voulez voudriez avez-vous le la les de et mais qui que à pour dans avec un une',
    },
    {
      words: 'nous vous',
      after: 'avec pour chez sans sur à de entre par contre que',
      before: 'et mais de à le la les un une dans pour qui que',
    },
  ],
  articles: 'un une',
  determiners: 'le la les du des au aux mon ma mes ton ta tes son sa ses notre votre leur leurs ce cette ces',
  dangling: 'le les un une du des au aux mon ma mes ton ta tes ses',
  prepositions: 'dans sur avec pour par chez vers entre sous à de en contre depuis pendant',
  swaps: [
    { words: 'le', by: 'la les mon ma mes' },
    { words: 'la', by: 'le les mon ma mes' },
    { words: 'les', by: 'le la mon ma mes' },
    { words: 'mon ma mes', by: 'mon ma mes le la les' },
    { words: 'un une', by: 'un une' },
    { words: 'cette ces', by: 'ce cette ces' },
    { words: 'de', by: 'du des' },
    { words: 'du', by: 'de' },
    { words: 'à', by: 'au aux' },
    { words: 'au', by: 'à aux' },
    { words: 'je tu il on ils', by: 'je tu il on ils', notAfter: 'et ou que', unbroken: true },
  ],
  openers: 'si quand comment où pourquoi mais lorsque puisque',
  subjects: 'je tu il on ils',
  pronouns: 'ce ça elle elles nous vous c j',
  auxiliaries:
    'suis es est sommes êtes sont étais était étions étiez étaient ai as a avons avez ont avais avait avions aviez avaient serai sera seront aurai aura auront vais vas va allons allez vont peux peut pouvons pouvez peuvent veux veut voulons voulez veulent dois doit devons devez doivent voudrais voudrait pourrais pourrait',
  elisions: "je j', le l', la l', de d', que qu', ce c', se s', me m', te t'",
  short:
    'à ai aide air aller ami an ans arc art as au aux aussi auto avec avis axe bac bain bal banc bar bas beau bec bel ben bien bis blé bleu bloc boire bois bol bon bord bout bras bref bruit bus but ça cadre cage car cas cave ce cela celle cent cep ces cet chef cher chez choc chou ciel cil cinq clé club coin col comme con corps côté cou coup cour cri croix cru cuir dans date de dent des dès deux dieu dire dix doigt dois don donc dont dos doux du dur eau éco elle en encore entre épi es est et été être eu eux face fait fau faut fer fête feu fil fille film fils fin foi fois fol fond font fort fou four frais frère froid fur gai gant gare gars gaz gel gens gilet gré gris gros haie haut hier hors ici idée il ile île ils jeu jeux je joie joli jour juge jus la là lac laid lait lard las le les leur lieu lion lire lit loi loin long lors lot loup lui lune ma mai main mais mal mari mars me mec mer mère mes met mets mi midi mie mien mil mis moi mois mon mont mot mou mur mûr nez ni noir nom non nord nos notre nous nu nuit nul œil œuf on ont or os ou où oui ours pain paix pan par parc part pas pays peau père peu peur pied pin pire plan plat plein pli plu plus poil port pose pot pour pré près prix pro pu puis pur quai quand que quel qui quoi rail rang rare rat ravi rein reste riche rien riz roi rose rôti roue rue ruse sa sac sage sain sang sans sauf sec sein sel sens sept ses seul si sien six soi soie soir sol son sort sou sous sud suis sur sûr ta tant tard tas taux te tel tes tête thé tien tir toi toit ton tort tôt tour tous tout très tri trois trop trou truc tu type un une us va vais vas vent ver vers vert vie vif vin vingt vite vœu vol vos votre vous voix vrai vu vue y yeux zone ok mr st dr tv pc cd info pro',
  negations:
    "ne n' non pas jamais rien aucun aucune personne sans ni guère plus point nulle nul sauf n'est n'ai n'a n'y n'en n'avons n'avez n'ont n'était n'étais n'étaient",
  numbers:
    'zéro un une deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize vingt trente quarante cinquante soixante septante huitante octante nonante cent cents mille million millions milliard milliards premier première deuxième troisième demi demie quart moitié fois douzaine virgule',
})
