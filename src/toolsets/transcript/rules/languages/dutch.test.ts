import { testCleaning } from '../../../../../test/helpers/expect-cleaned.ts'

testCleaning(
  [
    ['Eh, de boot vertrekt om negen uur.', 'De boot vertrekt om negen uur.'],
    ['De boot, uhm, vertrekt om negen uur.', 'De boot vertrekt om negen uur.'],
    ['de boot euh vertrekt ehm om negen uur', 'de boot vertrekt om negen uur'],
    ['Ik ik wil naar het strand.', 'Ik wil naar het strand.'],
    ['en en toen kwam de bus', 'en toen kwam de bus'],
    ['Hij heeft een een hond.', 'Hij heeft een hond.'],
    ['de kaartjes kaartjes voor morgen', 'de kaartjes voor morgen'],
    ['in de keuken in de keuken', 'in de keuken'],
    ['ik denk uh ik denk van wel', 'ik denk van wel'],
    ['ik wil ko- kopen', 'ik wil kopen'],
    ['in de in het huis', 'in het huis'],
    ['ik was ik ben thuis', 'ik ben thuis'],
    ['Het is, zeg maar, heel moeilijk.', 'Het is heel moeilijk.'],
    ['Nou ja, dan beginnen we.', 'Dan beginnen we.'],
    ['we gaan naar de het station', 'we gaan naar het station'],
  ],
  [
    'Nee, nee, dat is niet niet waar.',
    'De mensen die die brug bouwen zijn moe.',
    'Het is heel heel belangrijk.',
    'Ik denk dat dat boek van haar is.',
    'Twee twee drie, dan 5 5.',
    'Anna Anna de Vries woont in Gent.',
    'Er is iemand die er werkt.',
    'Ja, ja, kom, kom.',
    'Hij weet niets, niets ervan.',
    'Is het de hele tijd zo?',
  ],
)
