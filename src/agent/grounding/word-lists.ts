/** Stop words, in lower case; a sentence may start with them. */
export const functionWords = toSet(`
a an the this that these those it its it's they their them there here he she his her him we our us you your i my me who whom whose which what when where why how
is are was were be been being am has have had having do does did done can could may might must shall should will would
and or but if then than so as at by for from in into of off on onto out over per to toward towards under until up upon via with within about above across after against along
among around before behind below beneath beside between beyond down during near since through throughout while because although though whereas whether also too very just still
yet again already now later soon both each every all any some many most more less few several such other another same own only even further however therefore thus hence
according instead rather like unlike one ones get gets got let lets say says said
der die das des dem den ein eine einer eines einem einen und oder aber wenn dass daß als auch bei bis für gegen im in ins ist sind war waren wird werden wurde wurden worden hat haben hatte
mit nach nur noch ob ohne seit sich sie er es wir ihr ihre ihren sein seine über um unter vom von vor während wegen wie zu zum zur zwischen aus am an auf durch dieser diese dieses man so schon sehr
le la les l' un une des du de d' et ou mais si que qui quoi dont où ce cet cette ces il elle ils elles on nous vous leur leurs son sa ses au aux avec dans en par pour sur sous chez entre depuis
est sont était étaient a ont avait être avoir été plus comme aussi selon
el los las lo una unos unas y o pero que quien cuyo su sus se con por para sin sobre entre desde hasta hacia como más muy también es son era eran fue fueron ha han había ser estar está están al del
il lo gli i un uno e ed ma che chi cui suo sua suoi loro con per tra fra da dal dalla nel nella nei sul sulla di del della dei delle degli è sono era erano stato stata ha hanno più anche come
o os as um uma uns umas e mas que quem seu sua seus suas com por para sob sobre entre desde até como mais também é são foi foram tem têm não no na nos nas do da dos das ao à
de het een en of maar dat die deze dit zijn was waren wordt worden werd werden heeft hebben had met voor door over onder tussen van naar bij tot uit op aan als ook nog er om te
en ett och eller men att som den det de är var blev har hade med för av på till från om vid under över mellan också
og eller men at som den det er var blev har havde med for af av på til fra om ved under over mellem mellom også
i w z na do od dla po przez przy o że jest są był była było były oraz lub ale jak także się to ten ta te
и в во на с со к ко у о об от до за из по под над при для что как это этот эта эти был была было были есть его её их он она они мы вы но а же ли бы также или
`)

/** Further words that start summaries: not names, unless a quote has them. */
export const openingWords = toSet(`
today yesterday tomorrow currently recently previously initially finally additionally moreover meanwhile overall generally usually typically often sometimes
people users user customers researchers scientists authors author experts officials critics employees workers engineers developers students patients participants members
company companies firm organization team group government report reports study studies research results result findings data article page document text paper file files folder
test tests version release update updates feature features support system tool tools service server command output input value values item items entry entries list
total number amount rate price prices cost costs sales revenue profit growth demand production work use usage using time year years month day week
together combined altogether originally eventually otherwise elsewhere similarly likewise consequently meanwhile almost nearly roughly approximately just about maximum minimum average annual annually yearly monthly daily weekly quarterly global globally nationwide worldwide nationally domestic
expect expected estimated projected forecast paying pay buying buy renting rent rents spending savings doubling raising lowering tracking following auditing optimizing
adults children kids women men families households homes home houses owners buyers sellers renters drivers passengers residents citizens voters consumers shoppers investors businesses business stores shops units outlets
deaths jobs exports imports shares stocks profits earnings losses premiums payments income incomes wages salaries salary taxes fees bills subscriptions subscription memberships membership plans plan
temperatures temperature emissions rainfall precipitation energy water food health schools hospitals roads cars vehicles trains flights
used made built founded located produced designed compared available older newer larger smaller higher lower better greater fewer
three-quarters half quarter dozens hundreds thousands millions billions
new old first last next recent current main key major several due despite following based
forschung bericht ergebnis ergebnisse zahl anzahl laut insgesamt heute neu neue
selon aujourd'hui rapport résultats nombre total nouveau nouvelle
según informe resultados número nuevo nueva hoy
`)

/** Negations, in languages that write them as separate words. */
export const negationWords = toSet(`
not no never none nobody nothing nowhere neither nor without cannot cant wont dont doesnt didnt isnt arent wasnt werent hardly barely scarcely seldom rarely false untrue
deny denies denied denying lack lacks lacked lacking absent absence refuse refuses refused refusing except unless null nil non myth hoax falsely wrongly mistakenly
impossible invalid illegal inactive incorrect incomplete incompatible inaccessible insecure disabled disallowed
nicht kein keine keiner keines keinem keinen nie niemals niemand nichts nirgends weder ohne kaum falsch
ne pas jamais rien aucun aucune personne sans ni non faux fausse guère
no nunca jamás nada nadie ningún ninguno ninguna sin tampoco ni falso falsa
non nessun nessuno nessuna niente senza né neppure neanche mica
não nunca jamais nenhum nenhuma ninguém sem nem tampouco
niet geen nooit niemand niets nergens zonder noch
inte ej icke ingen inget inga aldrig utan ikke ikkje intet ingenting uden uten aldri
ei eivät emme ette älä ilman
nie nigdy bez żaden żadna żadne nikt nic ani
není nejsou nikdy nikdo žádný žádná žádné nebyl nebyla nebylo
nem nincs nincsenek soha nélkül sem
nu niciun nicio niciodată fără nimic
değil yok hiç hiçbir asla
δεν μη μην ποτέ κανένας χωρίς όχι ούτε
не нет ни никогда никто ничто ничего нельзя без никакой никаких ані ніколи немає ніхто нічого
لا لم لن ليس ليست غير بدون دون ما
לא אין בלי ללא מעולם אף
नहीं न मत बिना ना
안 못
`)

/** Words for everything, always, nothing else: a claim may use them only if its quote does. */
export const universals = toSet(`
all every everyone everybody everything always only solely exclusively entirely completely fully totally entire
alle alles jeder jede jedes jeden jedem immer nur stets ausschließlich sämtliche vollständig gesamte
tous toutes tout toute toujours seulement uniquement entièrement exclusivement
todos todas todo toda siempre solo sólo solamente únicamente enteramente
tutti tutte tutto tutta sempre soltanto solamente ogni interamente
apenas somente
alleen altijd iedereen elke ieder alles
все всё всегда только каждый каждая каждое всякий
`)

/** Pairs of stems with opposite meanings. */
export const opposites: readonly (readonly [string, string])[] = (
  [
    [
      'increas* rise rises risen rising rose raise raises raised raising grow* grew gain* climb* higher surg* jump* soar* advanc* expand* spik* skyrocket* rocket* swell* swelled boost* hike hikes hiked lifted rebound* upward* warm* warmer warmed up',
      'decreas* fall falls fallen falling fell drop* declin* shrink* shrank lower* reduc* slip slips slipped slid plung* tumbl* dip dips dipped sink sinks sank sunk plummet* slump* sap saps sapped shed sheds contract* dwindl* trim trims trimmed slash* halv* crash* cut cuts cutting cool* cooler cooled downward* down',
    ],
    ['more', 'less fewer'],
    ['most majority', 'some few several minority'],
    ['above exceed*', 'below under'],
    ['before', 'after'],
    ['allow* permit* permitted', 'forbid* forbade prohibit* ban banned bans block*'],
    ['enable* enabling', 'disabl*'],
    ['accept* approv* agree* adopt* pass passes passed passing', 'reject* refus* declin* disagree* denied deny denies'],
    ['win wins won winning gain*', 'lose loses lost losing'],
    ['open opens opened opening', 'close closes closed closing shut*'],
    ['start starts started starting begin* began launch*', 'stop stops stopped stopping end ends ended ending cancel*'],
    ['add adds added adding create* creating', 'remov* delet*'],
    ['buy buys bought buying acquir* purchas*', 'sell sells sold selling'],
    ['import imports imported importing', 'export exports exported exporting'],
    ['pass passes passed passing succe*', 'fail fails failed failing failure*'],
    ['maximum max most', 'minimum min least fewest'],
    ['higher', 'lower'],
    ['increas*', 'decreas*'],
    ['rise rises rose risen rising', 'fall falls fell fallen falling drop*'],
    ['highest', 'lowest'],
    ['first', 'last'],
    ['early', 'late'],
    ['earlier', 'later'],
    ['true correct', 'false wrong'],
    ['safe safer safest safely', 'dangerous* unsafe hazardous risky'],
    ['fast faster fastest quick*', 'slow*'],
    ['cheap* inexpensive', 'expensive costly'],
    ['new newer newest', 'old older oldest'],
    ['large* big bigger biggest', 'small* tiny'],
    ['strong* strength*', 'weak*'],
    ['support* recommend* endors* favour* favor*', 'oppos* against discourag* criticis* criticiz*'],
    ['require* mandatory', 'optional'],
    ['public', 'private'],
    ['paid', 'free'],
    ['improv* better best', 'worsen* worse worst deteriorat*'],
    [
      'steig* stieg* gestiegen zunahm* zugenommen höher*',
      'sink* sank* gesunken fiel fielen gefallen abnahm* abgenommen niedriger*',
    ],
    ['mehr', 'weniger'],
    ['augment* hausse', 'diminu* baiss*'],
    ['ouvert* ouvr*', 'fermé* ferme*'],
    ['abiert* abre abren', 'cerrad* cierra cierran'],
    ['apert* apre aprono', 'chius* chiude chiudono'],
    ['offen* geöffnet*', 'geschlossen*'],
    ['erlaubt*', 'verboten*'],
    ['autoris* permis*', 'interdi*'],
    ['plus', 'moins'],
    ['aument* subió subieron', 'disminu* bajó bajaron'],
    ['más', 'menos'],
  ] as const
).map(([one, other]) => [one, other])

export function toSet(words: string): ReadonlySet<string> {
  return new Set(words.split(/\s+/).filter(Boolean))
}
