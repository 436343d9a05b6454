import type { Speech } from './make-pairs.ts'

/** What the rules were tuned on. Written for this benchmark; nobody said it. */
export const development: readonly Speech[] = [
  {
    language: 'English',
    sentences: `We moved the meeting to Thursday because Anna could not come.
The old bridge was closed for three months after the flood.
I would like to book a table for six people tonight.
You can find the keys under the mat near the back door.
They never told us that the train had been cancelled.
My sister lives in a small village close to Dublin.
The report says that sales rose by twelve percent last year.
Please turn off the lights when you leave the office.
He asked whether the museum is open on Sundays.
We have to repaint the fence before the winter comes.
She had had enough of waiting and went home.
What is the fastest way to the airport from here?
There was nothing left in the fridge except an egg.
Our neighbours bought a new car and sold it again.
I think that that man over there is the new director.
The children were playing in the garden until it got dark.
If it rains tomorrow we will stay at the hotel.
Doctor Patel said the wound should heal in ten days.
Could you send me the contract before five o'clock?
The first version did not work on older phones.
It is very very important that you read the label.
Most of the students walk to school or take the bus.
I was surprised how quiet the city is at night.
We dug the well by hand and it was deep.
Play the next song on the kitchen speaker.
The bakery on the corner sells the best bread in town.
He knows what he is doing and he does it well.
Nobody expected the vote to be so close.
I left my umbrella on the bus to Leeds this morning.
Her brother works as a nurse in a large hospital.`,
    fillers: 'uh um er uhm umm uhh hmm erm ah',
    asides: 'you know, I mean, well, like',
    edits: 'I mean, sorry, or rather',
    starts: 'what I wanted, we were going to, it would be, the thing with',
    articles: 'the a my our his',
  },
  {
    language: 'German',
    sentences: `Wir haben das Treffen auf Donnerstag verschoben, weil Anna nicht kommen kann.
Die alte Brücke war nach dem Hochwasser drei Monate gesperrt.
Ich möchte einen Tisch für sechs Personen bestellen.
Der Schlüssel liegt unter der Matte neben der Hintertür.
Niemand hat uns gesagt, dass der Zug ausfällt.
Meine Schwester wohnt in einem kleinen Dorf bei Kassel.
Der Umsatz ist im letzten Jahr um zwölf Prozent gestiegen.
Bitte machen Sie das Licht aus, wenn Sie das Büro verlassen.
Er hat gefragt, ob das Museum am Sonntag geöffnet ist.
Wir müssen den Zaun vor dem Winter streichen.
Wie komme ich am schnellsten zum Flughafen?
Im Kühlschrank war nichts mehr außer einem Ei.
Unsere Nachbarn haben ein neues Auto gekauft.
Die Kinder haben bis zum Abend im Garten gespielt.
Wenn es morgen regnet, bleiben wir im Hotel.
Das sind die Leute, die die Brücke gebaut haben.
Die erste Version lief nicht auf älteren Telefonen.
Es ist sehr sehr wichtig, dass du das liest.
Die meisten Schüler gehen zu Fuß oder nehmen den Bus.
Spiel das nächste Lied in der Küche.
Der Bäcker an der Ecke hat das beste Brot der Stadt.
Mein Bruder arbeitet als Pfleger in einem großen Krankenhaus.
Ich habe heute früh meinen Schirm im Bus vergessen.
Sie hat mir gestern ein Buch über Island geschenkt.
Wir treffen uns um acht Uhr vor dem Kino.
Kannst du mir bitte sagen, wo der Bahnhof ist?`,
    fillers: 'äh ähm öh ehm hm ähhm ääh mh',
    asides: 'also, weißt du, sag ich mal, na ja, ich meine',
    edits: 'ich meine, also, Entschuldigung',
    starts: 'ich wollte eigentlich, das wäre, wir könnten, was ich meine',
    articles: 'der die das den dem ein eine',
  },
  {
    language: 'French',
    sentences: `Nous avons reporté la réunion à jeudi parce que Claire ne peut pas venir.
Le vieux pont est resté fermé pendant trois mois après la crue.
Je voudrais réserver une table pour six personnes ce soir.
La clé se trouve sous le tapis près de la porte.
Personne ne nous a dit que le train était supprimé.
Ma sœur habite dans un petit village près de Nantes.
Les ventes ont augmenté de douze pour cent cette année.
Merci d'éteindre la lumière quand vous quittez le bureau.
Il a demandé si le musée est ouvert le dimanche.
Nous devons repeindre la clôture avant l'hiver.
Quel est le chemin le plus rapide pour aller à la gare ?
Il n'y avait plus rien dans le frigo sauf un œuf.
Nos voisins ont acheté une nouvelle voiture.
Les enfants ont joué dans le jardin jusqu'au soir.
S'il pleut demain, on restera à l'hôtel.
Nous nous voyons tous les mardis au café.
La première version ne marchait pas sur les vieux téléphones.
C'est très très important que tu lises ça.
La plupart des élèves viennent à pied ou en bus.
Mets la prochaine chanson dans la cuisine.
Le boulanger du coin fait le meilleur pain de la ville.
Mon frère travaille comme infirmier dans un grand hôpital.
J'ai oublié mon parapluie dans le bus ce matin.
Elle m'a offert un livre sur le Japon.
On se retrouve à huit heures devant le cinéma.
Est-ce que tu peux me dire où se trouve la poste ?`,
    fillers: 'euh heu hum euhh ben bah hmm',
    asides: 'tu vois, tu sais, enfin, bon, je veux dire, genre',
    edits: 'je veux dire, pardon, enfin',
    starts: "je voulais, on pourrait, ce serait, c'est que",
    articles: 'le la les un une mon ma',
  },
  {
    language: 'Spanish',
    sentences: `Hemos cambiado la reunión al jueves porque Lucía no puede venir.
Quiero reservar una mesa para seis personas esta noche.
La llave está debajo de la alfombra cerca de la puerta.
Nadie nos dijo que el tren estaba cancelado.
Mi hermana vive en un pueblo pequeño cerca de Sevilla.
Las ventas subieron un doce por ciento el año pasado.
Los niños jugaron en el jardín hasta la noche.
Si llueve mañana nos quedamos en el hotel.
El panadero de la esquina hace el mejor pan de la ciudad.
Es muy muy importante que lo leas.
Mi hermano trabaja en un hospital grande.
Esta mañana olvidé mi paraguas en el autobús.
¿Puedes decirme dónde está la estación?
Nos vemos a las ocho delante del cine.`,
    fillers: 'eh em ehm mmm ehh',
    asides: 'o sea, pues, bueno, digamos',
    edits: 'o sea, digo, perdón',
    starts: 'yo quería, sería, podríamos',
    articles: 'el la los mi un una',
  },
  {
    language: 'Italian',
    sentences: `Abbiamo spostato la riunione a giovedì perché Marta non può venire.
Vorrei prenotare un tavolo per sei persone stasera.
La chiave è sotto il tappeto vicino alla porta.
Nessuno ci ha detto che il treno era cancellato.
Mia sorella abita in un piccolo paese vicino a Parma.
Le vendite sono salite del dodici per cento.
I bambini hanno giocato in giardino fino a sera.
Se domani piove restiamo in albergo.
Il fornaio all'angolo fa il pane migliore della città.
È molto molto importante che tu lo legga.
Mio fratello lavora in un grande ospedale.
Stamattina ho dimenticato l'ombrello sull'autobus.
Puoi dirmi dove si trova la stazione?
Ci vediamo alle otto davanti al cinema.`,
    fillers: 'ehm eh mmm ehmm uhm',
    asides: 'diciamo, cioè, insomma, ecco',
    edits: 'cioè, volevo dire, scusa',
    starts: 'io volevo, sarebbe, potremmo',
    articles: 'il la lo mio un una',
  },
  {
    language: 'Portuguese',
    sentences: `Mudámos a reunião para quinta porque a Joana não pode vir.
Quero reservar uma mesa para seis pessoas esta noite.
A chave está debaixo do tapete perto da porta.
Ninguém nos disse que o comboio foi cancelado.
A minha irmã mora numa aldeia pequena perto de Braga.
As vendas subiram doze por cento no ano passado.
As crianças brincaram no jardim até à noite.
Se chover amanhã ficamos no hotel.
O padeiro da esquina faz o melhor pão da cidade.
É muito muito importante que você leia isso.
O meu irmão trabalha num hospital grande.
Hoje de manhã esqueci o guarda-chuva no autocarro.
Pode dizer-me onde fica a estação?
Vemo-nos às oito em frente ao cinema.`,
    fillers: 'eh hum ahn hmm ãh',
    asides: 'tipo, sabe, quer dizer, digamos',
    edits: 'quer dizer, digo, desculpa',
    starts: 'eu queria, seria, podíamos',
    articles: 'o a os meu um uma',
  },
  {
    language: 'Dutch',
    sentences: `We hebben de vergadering naar donderdag verplaatst omdat Sanne niet kan.
Ik wil graag een tafel voor zes personen reserveren.
De sleutel ligt onder de mat bij de achterdeur.
Niemand heeft ons gezegd dat de trein niet rijdt.
Mijn zus woont in een klein dorp bij Zwolle.
De omzet is vorig jaar met twaalf procent gestegen.
De kinderen hebben tot de avond in de tuin gespeeld.
Als het morgen regent blijven we in het hotel.
De bakker op de hoek heeft het beste brood van de stad.
Het is heel heel belangrijk dat je dit leest.
Mijn broer werkt in een groot ziekenhuis.
Vanmorgen heb ik mijn paraplu in de bus laten liggen.
Kun je mij zeggen waar het station is?
We zien elkaar om acht uur voor de bioscoop.`,
    fillers: 'eh uh uhm ehm euh',
    asides: 'zeg maar, weet je, ik bedoel',
    edits: 'ik bedoel, sorry, pardon',
    starts: 'ik wilde, het zou, we kunnen',
    articles: 'de het een mijn',
  },
  {
    language: 'Hindi',
    sentences: `हमने बैठक गुरुवार को रखी है क्योंकि रीना नहीं आ सकती।
मुझे आज रात छह लोगों के लिए मेज़ चाहिए।
चाबी दरवाज़े के पास चटाई के नीचे है।
किसी ने हमें नहीं बताया कि ट्रेन रद्द हो गई।
मेरी बहन एक छोटे गाँव में रहती है।
पिछले साल बिक्री बारह प्रतिशत बढ़ी।
बच्चे शाम तक बगीचे में खेलते रहे।
अगर कल बारिश हुई तो हम होटल में रहेंगे।
वह धीरे धीरे सीढ़ियाँ चढ़ रहा था।
मेरा भाई एक बड़े अस्पताल में काम करता है।
आज सुबह मैं अपना छाता बस में भूल गया।
क्या आप बता सकते हैं कि स्टेशन कहाँ है?`,
    fillers: 'अं उम अम्म हम्म उह',
    asides: 'मतलब, यानी',
    edits: 'मतलब, सॉरी',
    starts: 'मैं चाहता, हम लोग',
    articles: 'मेरा हमारा',
  },
]
