import { checkedIn, type Group } from '../requirement.ts'

const checked = checkedIn('test/requirements/extension-model/contracts.test.ts')

export const contracts: readonly Group[] = [
  {
    title: 'What a contract is',
    statements: [
      {
        id: 'D1',
        says: 'A contract is an agreement between the server that provides a tool and the host that calls it; the host holds both sides to it.',
        where: '[results](upstreams.md#what-becomes-of-a-result)',
        tests: [
          'src/host/to-tool.test.ts: input that breaks the contract is never sent',
          'src/host/to-tool.test.ts: output that breaks the contract is withheld, and people get the whole answer',
        ],
      },
      checked('D2', 'It has the metadata of the tool.', '[`name`, `title`, `description`](contract.md#fields)'),
      checked('D3', 'It has an input schema.', '[`input`](contract.md#fields)'),
      checked('D4', 'It has an output schema.', '[`output`](contract.md#fields)'),
      checked(
        'D5',
        'It guarantees how the tool behaves at run time.',
        '[`risk`, `approval`, `errors`, `limits`, `effects`](contract.md#fields)',
      ),
    ],
  },
  {
    title: 'Metadata',
    statements: [
      checked(
        'D6',
        'Every tool has a name; one without is not served.',
        '`name_not_usable` in [admission](admission.md)',
      ),
      checked(
        'D7',
        'Every tool has a description; one without is not served.',
        '`no_description` in [admission](admission.md)',
      ),
      checked(
        'D8',
        'The example, `fetch_sharepoint_doc`, is accepted with its name and description.',
        '[admission](admission.md)',
      ),
      {
        id: 'D9',
        says: 'A name is unique in its server: two tools of one name are not served.',
        where: '`name_repeated` in [admission](admission.md)',
        tests: [
          'src/host/admission/admit-all.test.ts: a duplicate definition is one tool; two different ones of the same name are both withheld',
        ],
      },
      {
        id: 'D10',
        says: 'A description says what the tool does: an empty one, or one that repeats the name, is refused.',
        where: '`description-says` in [checks](contract.md#lint-rules)',
        tests: ['src/contract/lint/contract-rules.test.ts: description-says: %j does not say what the tool does'],
      },
      checked(
        'D11',
        'There are no hidden or implicit tools: a tool that the server does not list cannot be called.',
        '[admission](admission.md)',
      ),
    ],
  },
  {
    title: 'Input schema',
    statements: [
      checked(
        'D12',
        'Every tool has an `inputSchema`; one without is not served.',
        '`no_input_schema` in [admission](admission.md)',
      ),
      checked('D13', 'It must be valid JSON Schema.', '`invalid_schema` in [admission](admission.md)'),
      checked(
        'D14',
        'The example, an object that requires the string `doc_id`, is accepted and enforced.',
        '[admission](admission.md)',
      ),
      checked(
        'D15',
        'All required arguments are listed: a call without one is refused.',
        '`invalid_input` in [errors](errors.md)',
      ),
      checked(
        'D16',
        'A required argument that no property declares withholds the tool.',
        '`undeclared_required` in [admission](admission.md)',
      ),
      checked(
        'D17',
        'Undocumented parameters are not allowed: an argument that the schema does not declare is refused, also where the server would take anything.',
        '`input_closed` in [admission](admission.md)',
        { decision: ['0086'] },
      ),
      checked(
        'D18',
        'Free-form parameters are not allowed in contracts of your own: an open object is refused.',
        '`root-closed`, `object-explicit` in [checks](contract.md#lint-rules)',
      ),
      checked(
        'D19',
        'Defaults are declared in the schema, and those that are declared apply.',
        '`default` in [schemas](contract.md#schemas)',
      ),
    ],
  },
  {
    title: 'Output schema',
    statements: [
      checked(
        'D20',
        'Every tool has an `outputSchema`; one without, or with one that allows any object, is not served unless the operator says how to take its results.',
        '`no_output_schema` in [admission](admission.md)',
      ),
      checked(
        'D21',
        'It describes `structuredContent`, which is checked against it.',
        '[content](admission.md#content)',
      ),
      checked(
        'D22',
        'The example, an object with `doc_id` and `content`, is accepted and enforced.',
        '[admission](admission.md)',
      ),
      {
        id: 'D23',
        says: 'Free-form text is allowed only in known fields: text beside the structured content is not passed on.',
        where: '[content](admission.md#content)',
        tests: ['src/host/to-tool.test.ts: poisoned text beside valid output goes nowhere'],
      },
      checked(
        'D24',
        '`additionalProperties: false` is recommended: every built-in output has it.',
        '[tools](tools.md)',
        { decision: ['0020'] },
      ),
    ],
  },
]
