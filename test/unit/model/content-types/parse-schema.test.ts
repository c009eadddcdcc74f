import { describe } from 'vitest';
import { componentText, typePath, typeText } from '../../../support/schema-files.js';
import type { Files } from '../../../support/schema-files.js';
import { problemAt, testProblemCases, THING } from '../../../support/schema-problems.js';
import type { ProblemCase } from '../../../support/schema-problems.js';

const component = (...attributes: string[]): Files => ({
  'src/components/shared/part.json': componentText(attributes),
});

const fileCases: readonly ProblemCase[] = [
  {
    what: 'a trailing comma',
    files: { [THING]: '{\n  "kind": "collectionType",\n}\n' },
    problems: [problemAt('error', 'broken-json', 3)],
    message: /not valid JSON at line 3, column 1: a property name in double quotes expected/,
  },
  {
    what: 'a comment',
    files: { [THING]: '{\n  // what\n}\n' },
    problems: [problemAt('error', 'broken-json', 2)],
    message: /line 2, column 3: comments are not allowed/,
  },
  {
    what: 'an empty file',
    files: { [THING]: '' },
    problems: [problemAt('error', 'broken-json', 1)],
    message: /line 1, column 1: a value expected/,
  },
  {
    what: 'a file cut off',
    files: { [THING]: typeText('thing', []).slice(0, 60) },
    problems: [problemAt('error', 'broken-json', 4)],
    message: /line 4/,
  },
  {
    what: 'a list',
    files: { [THING]: '[]' },
    problems: [problemAt('error', 'invalid-value', 1)],
    message: /must contain an object/,
  },
  {
    what: 'an unknown kind',
    files: { [THING]: typeText('thing', [], { kind: 'collection' }) },
    problems: [problemAt('warning', 'invalid-kind', 2)],
    message: /"collection" does not exist/,
    allowed: ['collectionType', 'singleType'],
  },
  {
    what: 'no singularName',
    files: { [THING]: typeText('thing', []).replace('"singularName": "thing",', '') },
    problems: [problemAt('error', 'missing-key', 4)],
    message: /"info.singularName" is missing/,
  },
  {
    what: 'an empty pluralName',
    files: { [THING]: typeText('thing', [], { pluralName: '', collectionName: 'x' }) },
    problems: [problemAt('error', 'missing-key', 6)],
    message: /"info.pluralName" is missing/,
  },
  {
    what: 'a name that is no text',
    files: { [THING]: typeText('thing', []).replace('"singularName": "thing"', '"singularName": 5') },
    problems: [problemAt('error', 'invalid-value', 5)],
    message: /must be a string/,
  },
  {
    what: 'a name in camel case',
    files: { [THING]: typeText('thing', [], { pluralName: 'manyThings', collectionName: 'things' }) },
    problems: [problemAt('error', 'invalid-name', 6)],
    message: /"manyThings", which is not kebab-case/,
  },
  {
    what: 'equal names',
    files: { [THING]: typeText('thing', [], { pluralName: 'thing' }) },
    problems: [problemAt('error', 'duplicate-name', 6)],
    message: /both "thing"; they must differ/,
  },
  {
    what: 'a folder of another name',
    files: { [THING]: typeText('item', [], { collectionName: 'things' }) },
    problems: [problemAt('warning', 'name-mismatch', 5)],
    message: /singularName is "item" but the folder is "thing".*api::thing.thing/,
  },
  {
    what: 'a table name with spaces',
    files: { [THING]: typeText('thing', [], { collectionName: 'my things' }) },
    problems: [problemAt('warning', 'invalid-name', 3)],
    message: /"my things" is not a valid table name.*the table is called my_things/,
  },
  {
    what: 'draftAndPublish as text',
    files: { [THING]: typeText('thing', [], { options: '{ "draftAndPublish": "yes" }' }) },
    problems: [problemAt('warning', 'invalid-value', 9)],
    message: /"options.draftAndPublish" must be true or false; it counts as false/,
  },
  {
    what: 'a header of two lines',
    files: { [THING]: typeText('thing', [], { options: '{ "cacheControl": "public\\nX: y" }' }) },
    problems: [problemAt('error', 'invalid-value', 9)],
    message: /"options.cacheControl" must be the value of a header/,
  },
  {
    what: 'a number of versions that is none',
    files: { [THING]: typeText('thing', [], { options: '{ "history": -1 }' }) },
    problems: [problemAt('error', 'invalid-value', 9)],
    message: /"options.history" must be a whole number from 0 to 10000/,
  },
  {
    what: 'localized as a number',
    files: { [THING]: typeText('thing', [], { pluginOptions: '{ "i18n": { "localized": 1 } }' }) },
    problems: [problemAt('warning', 'invalid-value', 10)],
    message: /"pluginOptions.i18n.localized" must be true or false/,
  },
  {
    what: 'options as a list',
    files: { [THING]: typeText('thing', [], { options: '[]' }) },
    problems: [problemAt('error', 'invalid-value', 9)],
    message: /"options" must be an object/,
  },
  {
    what: 'a misspelt top-level key',
    files: { [THING]: typeText('thing', []).replace('"attributes"', '"atributes"') },
    problems: [problemAt('error', 'missing-key', 1), problemAt('warning', 'unknown-key', 11)],
    message: /"attributes" must be an object|Did you mean "attributes"/,
  },
  {
    what: 'a misspelt key of info',
    files: { [THING]: typeText('thing', []).replace('"displayName"', '"displayname"') },
    problems: [problemAt('warning', 'unknown-key', 7)],
    message: /"info.displayname" is unknown and ignored\. Did you mean "displayName"/,
  },
  {
    what: 'attributes as a list',
    files: { [THING]: typeText('thing', []).replace('"attributes": {\n\n  }', '"attributes": []') },
    problems: [problemAt('error', 'invalid-value', 11)],
    message: /"attributes" must be an object/,
  },
  {
    what: 'a reserved plural name',
    files: { [THING]: typeText('thing', [], { pluralName: 'users', collectionName: 'things' }) },
    problems: [problemAt('warning', 'reserved-name', 6)],
    message: /"users" is reserved: \/api\/users belongs to accounts/,
  },
  {
    what: 'a reserved name of a single type',
    files: { [THING.replaceAll('thing', 'upload')]: typeText('upload', [], { kind: 'singleType' }) },
    problems: [`warning reserved-name ${typePath('upload')}:5`],
    message: /"upload" is reserved: \/api\/upload belongs to files/,
  },
  {
    what: 'a component in the wrong category',
    files: { 'src/components/shared/part.json': `{\n "category": "blocks",\n "attributes": {} }` },
    problems: ['warning category-mismatch src/components/shared/part.json:2'],
    message: /the category "blocks" but is in the folder "shared"/,
    allowed: ['shared'],
  },
  {
    what: 'a component with a strange name',
    files: { 'src/components/shared/my part.json': componentText([]) },
    problems: ['error invalid-name src/components/shared/my part.json:1'],
    message: /"my part" is not a valid name for a component/,
  },
  {
    what: 'a reserved name in a component',
    files: component('"id": { "type": "string" }', '"locale": { "type": "string" }'),
    problems: ['error reserved-name src/components/shared/part.json:5 id'],
    message: /is reserved for the system/,
  },
  {
    what: 'an extension of nothing',
    files: { 'src/extensions/documentation/content-types/page/schema.json': '{}' },
    problems: ['warning ignored-file src/extensions/documentation/content-types/page/schema.json:1'],
    message: /no type plugin::documentation.page/,
  },
];

describe('one mistake in a file', () => {
  testProblemCases(fileCases);
});
