import { defineLanguage } from '../language.ts'

export const german = defineLanguage('German', {
  looks: /[äöüß]|sch|cht|(?:ung|heit|keit|lich|isch|igen|tion|schaft|iert)$|^ge.+(?:t|en)$|tz|^zu(?:r|m)?$/,
  common:
    'der die das und ist ich wir sie es ein eine einen einem einer zu mit auf für von den dem des im am auch als an bei nach wie dass aber oder war sind haben hat habe hab man noch schon sehr uhr um er was wenn so dann wird werden kann hatte hatten wäre würde würden doch mal nur vom zum zur durch über unter vor bis seit weil ob immer wieder viel mehr diese dieser dieses diesen ihr uns mir mich dir dich sich heute jetzt hier da gut ganz ja machen gehen geht kommen komme kommt gibt muss müssen soll will wollen können konnte gesagt glaube weiß denke etwas alles alle andere anderen du in aus ihm ihn mein meine dein sein seine unser unsere euch wo wer warum welche welcher welches gegen ohne zwischen während damit darum also halt eben bitte danke hallo guten tag morgen gestern abend jahr jahre zeit leute mensch menschen frau mann kind kinder haus stadt land arbeit beim ins sagt sagen sehen macht gemacht gewesen worden bin bist seid waren wurde wurden möchte möchten gerne natürlich vielleicht eigentlich genau richtig erst letzte nächste viele wenig ihre ihren ihrem ihrer wollte musste sollte könnte hätte denn nun dort dabei davon dazu dafür daran lange neue neuen großen große',
  fillers: 'ah ehm äh ähm öh öhm hm mh',
  looseFillers: 'eh',
  answers: 'ja so okay ok genau gut',
  hedges: 'sozusagen, quasi, sag ich mal',
  markers: 'ja, irgendwie, eigentlich, wie gesagt, im prinzip, ach',
  asides:
    'also, halt, naja, na ja, gell, sagen wir mal, sag ich mal, sage ich mal, tja, weißt du, wissen sie, ich meine, ich mein, sozusagen, quasi, wie soll ich sagen, wie sagt man, nun, nun ja',
  leads: 'also, naja, na ja, tja, ich mein, ich meine',
  edits:
    'ich meine, ich mein, entschuldigung, pardon, verzeihung, besser gesagt, quatsch, sorry, wollte sagen, ich wollte sagen',
  binding: 'wie was als',
  stuttered:
    'ich und wir es zu mit auf für von im am auch als an bei nach wie aber oder war hat habe man wenn dann ist sind haben kann weil dass er du in um aus vom zum zur durch über unter vor bis seit ob was wo wer warum mein meine sein seine unser unsere dein mir mich dir dich uns diese dieser dieses wird wurde bin bist muss will soll möchte würde könnte hatte beim ins damit auf eben mal noch schon nur hier da jetzt denn also ihn ihm ihren ihre einen einem einer',
  emphatic:
    'sehr ganz viel so lange weit ja doch na genau bitte danke super richtig echt wirklich total klein kleine kleiner kleines kleinen groß große großer großes schnell langsam komm los halt warte wartet hallo hopp tschüss oh ach ah ha haha ho hey tief hoch stopp stop hilfe schau hör okay ok klar stimmt bla blabla la tick tack bum plumps toi mama papa weg raus rein achtung bravo jawohl mega extra ewig vorsicht weiter ruhig sofort gut',
  emphaticEnding: /^$/,
  refrains:
    'nur zu, danke schön, guten tag, komm schon, na klar, ja klar, mach schon, auf wiedersehen, bis bald, hin und, nach und, ach so',
  doubles: [
    { words: 'die der das den dem des denen deren sie ihr werden können' },
    {
      words: 'an auf aus ein ab vor zu mit um nach bei',
      after: 'steht fängt fing kommt kam geht ging hört macht ruft sieht gibt nimmt setzt',
    },
    {
      words:
        'bin bist seid ist sind war waren hat haben hatte hatten wird werden wurde wurden kann konnte muss müssen soll sollen will wollen darf möchte würde hätte wäre macht machen geht gehen kommt kommen gibt sagt es',
      clauses: true,
    },
  ],
  slips: [
    {
      words: 'die der',
      after:
        '^ und aber oder denn dass ob wenn weil wo wie als was in mit auf für von an bei nach aus zu über unter vor durch gegen um seit bis zwischen ist sind war waren hat habe hab haben hatte hatten wird werden kann können muss müssen soll will würde hätte wäre ich wir er du man es uns mir dir ihm auch noch schon nur dann jetzt da hier so also ja nein wieder immer halt eben mal doch sehen sieht gibt kennt finde glaube machen macht nehmen kommt kommen geht gehen neben hinter',
      unbroken: true,
    },
    {
      words: 'das',
      after:
        '^ und aber oder denn in für auf über durch um an hat habe hab haben hatte kann können muss will würde ich wir er du man uns mir dir auch noch schon nur dann jetzt da hier also ja nein wieder immer halt eben mal doch finde glaube machen macht',
      unbroken: true,
    },
    {
      words: 'das der die sie',
      after: '^ und aber also ja denn oder nein genau',
      before:
        'ist war sind waren hat hatte hatten haben kann können wird wäre würde muss müssen soll sollte geht gibt heißt macht kommt sieht finde finden glaube',
    },
    {
      words: 'den dem des',
      after:
        '^ und oder in mit auf für von an bei nach aus zu über unter vor durch gegen ohne zwischen seit um neben hinter ich wir er du man hat habe hab haben hatte kann können muss müssen will soll würde auch noch schon nur dann mal',
      unbroken: true,
    },
    {
      words:
        'ist sind war waren hat habe haben hatte hatten wird wurde kann konnte muss müssen soll will möchte würde hätte wäre macht geht kommt gibt sagt',
      notSince: 'wenn was wie als ob weil dass wo wer sobald falls obwohl während',
      unbroken: true,
    },
    {
      words: 'es',
      after: '^ und aber dass weil wenn ob wie als dann da ist hat war wird gibt geht kann muss',
      unbroken: true,
    },
  ],
  articles: 'ein eine einen einem einer eines',
  determiners:
    'der die das den dem des ein eine einen einem einer eines mein meine meinen meinem meiner dein deine deinen sein seine seinen seinem seiner ihr ihre ihren ihrem ihrer unser unsere unseren unserem unserer diese dieser dieses diesen diesem jede jeder jedes jeden jedem im am zum zur vom beim ins ans welche welcher welches',
  dangling: 'ein eine einen einem einer im am zum zur vom beim mein meine meinen meinem unser unsere',
  prepositions: 'in mit auf für von an bei nach aus über unter vor durch gegen um zwischen seit bis',
  swaps: [
    { words: 'ein eine einen', by: 'ein eine einen einem einer', unbroken: true },
    { words: 'mein meine meinen meinem meiner', by: 'mein meine meinen meinem meiner' },
    { words: 'unser unsere unseren unserem unserer', by: 'unser unsere unseren unserem unserer' },
    { words: 'in', by: 'im ins' },
    { words: 'von', by: 'vom' },
    { words: 'bei', by: 'beim' },
    { words: 'im', by: 'in' },
    { words: 'vom', by: 'von' },
    { words: 'beim', by: 'bei' },
    { words: 'zum', by: 'zur' },
    { words: 'zur', by: 'zum' },
    {
      words: 'ich wir er man',
      by: 'ich wir er du man',
      notAfter: 'und oder als wie sagt sagte meinte',
      unbroken: true,
    },
  ],
  openers: 'wenn weil dass ob wie wo warum aber was wann',
  subjects: 'ich wir er du man',
  pronouns: 'es das sie',
  auxiliaries:
    'kannst könntest willst musst sollst darfst wirst würdest hättest wärst warst hattest möchtest gibt gab bin bist ist sind seid war waren habe hab hast hat haben hatte hatten werde wird werden wurde wurden kann können konnte konnten muss müssen musste will wollen wollte soll sollen sollte darf dürfen möchte möchten würde würden könnte könnten hätte hätten wäre wären',
  capitalNouns: true,
  short:
    'ab acht all alle als also alt alte am amt an arm art arzt ast auch auf auge aus auto axt bach bad bahn bald ball band bank bar bau bauch baum bei bein berg bett bier bild bin bis bist bitte blau blei boot bord böse brot buch bund bunt bus chef da dach dame dank dann darf das dass dein dem den denk denn der des dich dick die dies dir doch dom dorf dort drei du duft dumm dünn ecke edel ehe eher ei eile ein eine eis elf ende eng er erde erst es esel euch euer eule fall fang farbe fast faul feld fell fern fest fett feuer film fisch flug form frei froh früh frau für fuß gab gala gang ganz gar gas gast geh geht geld gen gern gib gibt glas gold gott grab gras groß grün gut haar hab habe halb hals halt hand hart hase hass hast hat haus haut heft heiß held hell hemd herr herz heu hier hin hoch hof holz hose hund hut ich ihm ihn ihr im in ins ist ja jagd jahr je jede jetzt jung kahl kalt kam kann karl karte kein kern kind kino klar klug kopf korb krieg kuh kur kurz lag lage land lang last laub lauf laut leb leid leer leise lied los luft lust mach mai mal man mann mark maß mast maus meer mehr mein mich milch mir mit mond moos mord mut nach nah nahm name nase nass naß neid nein nest nett netz neu neun nie noch nord not nun nur ob obst oder ofen ohr öl oma onkel opa ort ost paar pakt papa park pech pfad plan post preis pro putz rad rat rauch raum recht rede regel reh reich reif rein reis ring rock rohr rolle rose rot ruf ruhe rund saal sache saft sag sah salz sand satt satz schaf schal see seele sehr sei sein seit sekt set sich sie sieb sieg sinn sitz so sofa sohn soll sog spät spiel sport spur staat stadt stab stand star statt stein stolz stoß süd süß tag tal tanz tat taub tee teil test text tief tier tod ton tor tot trab treu tun tür turm typ über uhr um und uns unter ur ufer vater vers vieh viel vier vogel voll vom von vor wach wahl wald wand war ware warm was weg weh weich weil wein weit welt wem wen wenn wer werk west wie wild will wind wir wo wohl wolf wort wurm wut zahl zahn zart zehn zeit zelt ziel zu zug zum zur zwei zwo ok sah sieh gab ging hing fing lud tat bat wusch vgl bzw usw etc abs art dr hr fr st',
  negations:
    'nicht nichts nie niemals niemand nirgends nirgendwo nein kein keine keinen keinem keiner keines keins weder ohne kaum nö nee außer nimmer',
  numbers:
    'null ein eine einen einem einer eines eins zwei zwo drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig hundert tausend million millionen milliarde milliarden erste ersten zweite zweiten dritte dritten halb halbe viertel einmal zweimal dreimal dutzend komma',
})
