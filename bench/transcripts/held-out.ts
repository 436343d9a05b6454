import type { Speech } from './make-pairs.ts'

/** What the rules were not tuned on: other sentences, other spellings, other phrases. Written for this benchmark. */
export const heldOut: readonly Speech[] = [
  {
    language: 'English',
    sentences: `The council will decide on the new playground in October.
Our flight from Lisbon was delayed by two hours.
You should not drink the water from that tap.
I have been learning the cello since I was nine.
Farmers in the valley worry about the dry spring.
How do I change the language on this printer?
The novel tells the story of a sailor who lost his ship.
We could not find a single shop that was open.
Set an alarm for half past six and remind me to call Robert.
The engineers found a crack in the left wing.
I do not remember where I parked the van.
His grandfather opened the cinema in nineteen fifty.
Shall we share a taxi to the concert hall?
The vaccine is given in two doses with a break of four weeks.
People often forget how loud an orchestra can be.
She wrote to the landlord and asked for a new boiler.
It took them ages to agree on a name for the dog.
The soup needs more salt and a bit of pepper.
Many small firms do not have a lawyer of their own.
Could somebody open the window behind the piano?
He moved to Toronto because he wanted to study law.
The river freezes every winter and we go skating on it.
I am not sure whether this key fits.
Without a map we would have walked in circles.
That is the reason why the project was stopped.
Our teacher lets us choose the topic of the essay.
Show me cheap hotels near the harbour for next weekend.
The noise came from the flat above the chemist.
They promised to repair the lift by Friday.
Half of the seats were empty when the play began.`,
    fillers: 'uhhm ummm err hm eh aah mmm uh erm',
    asides: 'you see, sort of, I mean, you know',
    edits: "excuse me, I'm sorry, I mean",
    starts: 'I had thought of, they used to, there might be, in that case you',
    articles: 'the a their your her',
  },
  {
    language: 'German',
    sentences: `Der Gemeinderat entscheidet im Oktober über den neuen Spielplatz.
Unser Flug aus Lissabon hatte zwei Stunden Verspätung.
Das Wasser aus diesem Hahn sollte man nicht trinken.
Ich lerne Cello, seit ich neun bin.
Die Bauern im Tal machen sich Sorgen wegen der Trockenheit.
Wie stelle ich die Sprache an diesem Drucker um?
Der Roman erzählt von einem Matrosen, der sein Schiff verloren hat.
Wir haben keinen einzigen offenen Laden gefunden.
Stell den Wecker auf halb sieben und erinnere mich an Robert.
Die Ingenieure haben einen Riss im linken Flügel entdeckt.
Ich weiß nicht mehr, wo ich den Wagen geparkt habe.
Sollen wir uns ein Taxi zum Konzert teilen?
Die Impfung besteht aus zwei Dosen im Abstand von vier Wochen.
Viele vergessen, wie laut ein Orchester sein kann.
Sie hat dem Vermieter geschrieben und um eine neue Heizung gebeten.
In die Suppe muss noch Salz und etwas Pfeffer.
Kann jemand das Fenster hinter dem Klavier öffnen?
Er ist nach Toronto gezogen, weil er Jura studieren wollte.
Im Winter friert der Fluss zu und wir laufen Schlittschuh.
Ich bin nicht sicher, ob dieser Schlüssel passt.
Ohne Karte wären wir im Kreis gelaufen.
Unsere Lehrerin lässt uns das Thema selbst wählen.
Der Lärm kam aus der Wohnung über der Apotheke.
Die Hälfte der Plätze war leer, als das Stück begann.
Zeig mir günstige Hotels in der Nähe vom Hafen.
Man hat uns versprochen, den Aufzug bis Freitag zu reparieren.`,
    fillers: 'ähmm öhm äääh hmm äh mhh öhh ähm',
    asides: 'wissen Sie, naja, sozusagen, sagen wir mal',
    edits: 'Verzeihung, besser gesagt, ich mein',
    starts: 'man müsste ja, es gab früher, ich hatte schon, in dem Fall würde',
    articles: 'der die das den einen einem unser',
  },
  {
    language: 'French',
    sentences: `Le conseil décidera en octobre du nouveau terrain de jeu.
Notre vol de Lisbonne avait deux heures de retard.
Il ne faut pas boire l'eau de ce robinet.
J'apprends le violoncelle depuis que j'ai neuf ans.
Les paysans de la vallée s'inquiètent de la sécheresse.
Comment changer la langue de cette imprimante ?
Le roman raconte l'histoire d'un marin qui a perdu son bateau.
Nous n'avons trouvé aucun magasin ouvert.
Mets le réveil à six heures et demie et rappelle-moi d'appeler Robert.
Les ingénieurs ont découvert une fissure dans l'aile gauche.
Je ne sais plus où j'ai garé la voiture.
On partage un taxi jusqu'à la salle de concert ?
Le vaccin se donne en deux doses à quatre semaines d'écart.
Les gens oublient souvent le bruit que fait un orchestre.
Elle a écrit au propriétaire pour demander une nouvelle chaudière.
Il manque du sel et un peu de poivre dans la soupe.
Quelqu'un peut ouvrir la fenêtre derrière le piano ?
Il est parti à Toronto pour étudier le droit.
La rivière gèle chaque hiver et nous allons patiner dessus.
Je ne suis pas sûr que cette clé soit la bonne.
Sans carte nous aurions tourné en rond.
Notre professeur nous laisse choisir le sujet.
Le bruit venait de l'appartement au-dessus de la pharmacie.
La moitié des places étaient vides au début de la pièce.
Montre-moi des hôtels pas chers près du port.
Ils ont promis de réparer l'ascenseur avant vendredi.`,
    fillers: 'euuh heuu humm hm bah mmh euhm eh',
    asides: 'vous voyez, vous savez, disons, on va dire, hein',
    edits: 'pardon, je voulais dire, ou plutôt',
    starts: "il faudrait, j'avais pensé, avant on, dans ce cas je",
    articles: 'le la les un une notre ses',
  },
  {
    language: 'Spanish',
    sentences: `El ayuntamiento decide en octubre sobre el parque.
Nuestro vuelo de Lisboa salió con dos horas de retraso.
No hay que beber el agua de este grifo.
Aprendo violonchelo desde que tenía nueve años.
¿Cómo cambio el idioma de esta impresora?
No encontramos ninguna tienda abierta.
Los ingenieros han visto una grieta en el ala izquierda.
Ya no sé dónde he aparcado el coche.
Ella escribió al dueño y pidió una caldera nueva.
A la sopa le falta sal y un poco de pimienta.
Se fue a Toronto para estudiar derecho.
No estoy seguro de si esta llave es la buena.
El ruido venía del piso de arriba.
La mitad de los asientos estaban vacíos.`,
    fillers: 'ehmm eh mmmm emm ah',
    asides: 'este, pues, o sea',
    edits: 'quiero decir, mejor dicho',
    starts: 'habría que, antes se, yo pensaba',
    articles: 'el la las nuestro un una su',
  },
  {
    language: 'Italian',
    sentences: `Il comune decide a ottobre sul nuovo parco giochi.
Il nostro volo da Lisbona aveva due ore di ritardo.
Non bisogna bere l'acqua di questo rubinetto.
Studio il violoncello da quando avevo nove anni.
Come cambio la lingua di questa stampante?
Non abbiamo trovato nessun negozio aperto.
Gli ingegneri hanno scoperto una crepa nell'ala sinistra.
Non so più dove ho parcheggiato la macchina.
Ha scritto al padrone di casa per una caldaia nuova.
Nella zuppa manca il sale e un po' di pepe.
È andato a Toronto per studiare legge.
Non sono sicuro che questa chiave sia giusta.
Il rumore veniva dall'appartamento di sopra.
La metà dei posti era vuota.`,
    fillers: 'ehmmm eeh mmmm ah uhmm',
    asides: 'tipo, insomma, come dire',
    edits: 'voglio dire, anzi',
    starts: 'bisognerebbe, prima si, io pensavo',
    articles: 'il la gli nostro un una sua',
  },
  {
    language: 'Portuguese',
    sentences: `A câmara decide em outubro sobre o novo parque.
O nosso voo de Lisboa atrasou duas horas.
Não se deve beber a água desta torneira.
Aprendo violoncelo desde que tinha nove anos.
Como mudo o idioma desta impressora?
Não encontramos nenhuma loja aberta.
Os engenheiros viram uma fenda na asa esquerda.
Já não sei onde deixei o carro.
Ela escreveu ao senhorio e pediu uma caldeira nova.
Falta sal e um pouco de pimenta na sopa.
Ele foi para Toronto estudar direito.
Não tenho certeza se esta chave serve.
O barulho vinha do apartamento de cima.
Metade dos lugares estava vazia.`,
    fillers: 'ehh humm hã aahn hmm',
    asides: 'olha, assim, como se diz',
    edits: 'ou melhor, aliás',
    starts: 'era preciso, antes a gente, eu pensava',
    articles: 'o a as nosso um uma sua',
  },
  {
    language: 'Dutch',
    sentences: `De gemeente beslist in oktober over de nieuwe speeltuin.
Onze vlucht uit Lissabon had twee uur vertraging.
Het water uit deze kraan kun je beter niet drinken.
Ik leer cello sinds ik negen ben.
Hoe verander ik de taal van deze printer?
We hebben geen enkele winkel gevonden die open was.
De ingenieurs vonden een scheur in de linkervleugel.
Ik weet niet meer waar ik de auto heb gezet.
Ze schreef de huisbaas en vroeg om een nieuwe ketel.
Er moet nog zout en een beetje peper in de soep.
Hij ging naar Toronto om rechten te studeren.
Ik weet niet zeker of deze sleutel past.
Het geluid kwam uit het huis boven de apotheek.
De helft van de stoelen was leeg.`,
    fillers: 'uhh ehmm hm euhm ehh',
    asides: 'nou ja, weet je wel, laten we zeggen',
    edits: 'beter gezegd, ik bedoel',
    starts: 'je zou, vroeger was, ik dacht',
    articles: 'de het een onze',
  },
  {
    language: 'Hindi',
    sentences: `नगर परिषद अक्टूबर में नए पार्क पर फैसला करेगी।
हमारी उड़ान दो घंटे देर से आई।
इस नल का पानी नहीं पीना चाहिए।
मैं नौ साल की उम्र से गाना सीख रहा हूँ।
इस प्रिंटर की भाषा कैसे बदलें?
हमें कोई खुली दुकान नहीं मिली।
मुझे याद नहीं कि गाड़ी कहाँ खड़ी की थी।
उसने मकान मालिक को चिट्ठी लिखी।
सूप में थोड़ा नमक और डालना होगा।
वह कानून पढ़ने के लिए दिल्ली गया।
शोर ऊपर वाले घर से आ रहा था।
अलग अलग लोगों की अलग अलग राय है।`,
    fillers: 'ऊँ अम उम्म हम्मम अह',
    asides: 'यानि, मतलब',
    edits: 'यानी, मेरा मतलब',
    starts: 'पहले तो, मुझे लगता',
    articles: 'मेरी हमारी',
  },
]
