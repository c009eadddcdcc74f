import { describe, expect, it } from 'vitest';
import { buildFiles, componentText, printProblem, typePath, typeText } from '../../support/schema-files.js';
import type { Files } from '../../support/schema-files.js';

const THING = typePath('thing');
const thing = (...attributes: string[]): Files => ({ [THING]: typeText('thing', attributes) });
const component = (...attributes: string[]): Files => ({ 'src/components/shared/part.json': componentText(attributes) });

interface Case {
  readonly what: string;
  readonly files: Files;
  readonly problems: readonly string[];
  readonly message: RegExp;
  readonly allowed?: readonly string[];
}

const at = (severity: 'error' | 'warning', code: string, line: number, attribute?: string): string =>
  `${severity} ${code} ${THING}:${line}${attribute === undefined ? '' : ` ${attribute}`}`;

const cases: readonly Case[] = [
  {
    what: 'a trailing comma', files: { [THING]: '{\n  "kind": "collectionType",\n}\n' },
    problems: [at('error', 'broken-json', 3)], message: /not valid JSON at line 3, column 1: a property name in double quotes expected/,
  },
  { what: 'a comment', files: { [THING]: '{\n  // what\n}\n' }, problems: [at('error', 'broken-json', 2)], message: /line 2, column 3: comments are not allowed/ },
  { what: 'an empty file', files: { [THING]: '' }, problems: [at('error', 'broken-json', 1)], message: /line 1, column 1: a value expected/ },
  { what: 'a file cut off', files: { [THING]: typeText('thing', []).slice(0, 60) }, problems: [at('error', 'broken-json', 4)], message: /line 4/ },
  { what: 'a list', files: { [THING]: '[]' }, problems: [at('error', 'invalid-value', 1)], message: /must hold an object/ },
  { what: 'an unknown kind', files: { [THING]: typeText('thing', [], { kind: 'collection' }) }, problems: [at('error', 'invalid-kind', 2)], message: /"collection" does not exist/, allowed: ['collectionType', 'singleType'] },
  { what: 'no singularName', files: { [THING]: typeText('thing', []).replace('"singularName": "thing",', '') }, problems: [at('error', 'missing-key', 4)], message: /"info.singularName" is missing/ },
  { what: 'an empty pluralName', files: { [THING]: typeText('thing', [], { pluralName: '', collectionName: 'x' }) }, problems: [at('error', 'missing-key', 6)], message: /"info.pluralName" is missing/ },
  { what: 'a name that is no text', files: { [THING]: typeText('thing', []).replace('"singularName": "thing"', '"singularName": 5') }, problems: [at('error', 'invalid-value', 5)], message: /must be a text/ },
  { what: 'a name in camel case', files: { [THING]: typeText('thing', [], { pluralName: 'manyThings', collectionName: 'things' }) }, problems: [at('error', 'invalid-name', 6)], message: /"manyThings", which is not kebab-case/ },
  { what: 'equal names', files: { [THING]: typeText('thing', [], { pluralName: 'thing' }) }, problems: [at('error', 'duplicate-name', 6)], message: /both "thing"; they must differ/ },
  { what: 'a folder of another name', files: { [THING]: typeText('item', [], { collectionName: 'things' }) }, problems: [at('warning', 'name-mismatch', 5)], message: /singularName is "item" but the folder is "thing".*api::thing.thing/ },
  { what: 'a table name with spaces', files: { [THING]: typeText('thing', [], { collectionName: 'my things' }) }, problems: [at('error', 'invalid-name', 3)], message: /"my things" is no table name/ },
  { what: 'draftAndPublish as text', files: { [THING]: typeText('thing', [], { options: '{ "draftAndPublish": "yes" }' }) }, problems: [at('error', 'invalid-value', 9)], message: /"options.draftAndPublish" must be true or false/ },
  { what: 'localized as a number', files: { [THING]: typeText('thing', [], { pluginOptions: '{ "i18n": { "localized": 1 } }' }) }, problems: [at('error', 'invalid-value', 10)], message: /"pluginOptions.i18n.localized" must be true or false/ },
  { what: 'options as a list', files: { [THING]: typeText('thing', [], { options: '[]' }) }, problems: [at('error', 'invalid-value', 9)], message: /"options" must be an object/ },
  { what: 'a misspelt top-level key', files: { [THING]: typeText('thing', []).replace('"attributes"', '"atributes"') }, problems: [at('error', 'missing-key', 1), at('warning', 'unknown-key', 11)], message: /"attributes" must be an object|Did you mean "attributes"/ },
  { what: 'a misspelt key of info', files: { [THING]: typeText('thing', []).replace('"displayName"', '"displayname"') }, problems: [at('warning', 'unknown-key', 7)], message: /"info.displayname" means nothing here and is ignored\. Did you mean "displayName"/ },
  { what: 'attributes as a list', files: { [THING]: typeText('thing', []).replace('"attributes": {\n\n  }', '"attributes": []') }, problems: [at('error', 'invalid-value', 11)], message: /"attributes" must be an object/ },
  { what: 'an attribute that is a text', files: thing('"title": "string"'), problems: [at('error', 'invalid-attribute', 12, 'title')], message: /must be an object with a "type"/ },
  { what: 'an attribute without type', files: thing('"ok": { "type": "string" }', '"title": { "required": true }'), problems: [at('error', 'missing-type', 13, 'title')], message: /has no "type"/ },
  { what: 'an unknown type', files: thing('"title": {\n "required": true,\n "type": "strnig" }'), problems: [at('error', 'unknown-type', 14, 'title')], message: /no attribute type "strnig"\. Did you mean "string"\?/ },
  { what: 'a type nothing is like', files: thing('"title": { "type": "quaternion" }'), problems: [at('error', 'unknown-type', 12, 'title')], message: /no attribute type "quaternion"$/ },
  { what: 'an unknown option', files: thing('"title": {\n "type": "string",\n "maxLenght": 5 }'), problems: [at('warning', 'unknown-option', 14, 'title')], message: /the type string has no option "maxLenght"; it is ignored\. Did you mean "maxLength"\?/ },
  { what: 'another type\'s option', files: thing('"count": { "type": "integer", "maxLength": 5 }'), problems: [at('warning', 'unknown-option', 12, 'count')], message: /type integer has no option "maxLength"/ },
  { what: 'an option of the wrong form', files: thing('"title": { "type": "string",\n "required": "yes" }'), problems: [at('error', 'invalid-option', 13, 'title')], message: /"required" must be true or false/ },
  { what: 'a negative length', files: thing('"title": { "type": "string",\n "maxLength": -1 }'), problems: [at('error', 'invalid-option', 13, 'title')], message: /"maxLength" must be a whole number, not negative/ },
  { what: 'a minimum that is text', files: thing('"count": { "type": "integer",\n "min": "few" }'), problems: [at('error', 'invalid-option', 13, 'count')], message: /"min" must be an integer/ },
  { what: 'a fraction as bound of integers', files: thing('"count": { "type": "integer",\n "max": 1.5 }'), problems: [at('error', 'invalid-option', 13, 'count')], message: /"max" must be an integer/ },
  { what: 'min above max', files: thing('"count": {\n "type": "decimal",\n "min": 3,\n "max": 2 }'), problems: [at('error', 'invalid-range', 14, 'count')], message: /min 3 is above max 2/ },
  { what: 'minLength above maxLength', files: thing('"title": { "type": "text",\n "minLength": 3, "maxLength": 2 }'), problems: [at('error', 'invalid-range', 13, 'title')], message: /minLength 3 is above maxLength 2/ },
  { what: 'a broken pattern', files: thing('"title": { "type": "string",\n "regex": "(" }'), problems: [at('error', 'invalid-regex', 13, 'title')], message: /"\(" is no regular expression/ },
  { what: 'a default of another type', files: thing('"count": { "type": "integer",\n "default": "many" }'), problems: [at('error', 'invalid-default', 13, 'count')], message: /the default "many" does not fit: it must be an integer/ },
  { what: 'a default above the maximum', files: thing('"count": { "type": "integer", "max": 5,\n "default": 6 }'), problems: [at('error', 'invalid-default', 13, 'count')], message: /must be at most 5/ },
  { what: 'a default only a draft can have', files: thing('"count": { "type": "integer", "min": 5,\n "default": 4 }'), problems: [at('warning', 'invalid-default', 13, 'count')], message: /cannot be published: it must be at least 5/ },
  { what: 'a default outside the enumeration', files: thing('"kind": { "type": "enumeration", "enum": ["a", "b"],\n "default": "c" }'), problems: [at('error', 'invalid-default', 13, 'kind')], message: /must be one of a, b/, allowed: ['a', 'b'] },
  { what: 'an enumeration without values', files: thing('"kind": { "type": "enumeration" }'), problems: [at('error', 'invalid-enum', 12, 'kind')], message: /at least one value/ },
  { what: 'an empty enumeration', files: thing('"kind": { "type": "enumeration",\n "enum": [] }'), problems: [at('error', 'invalid-enum', 13, 'kind')], message: /at least one value/ },
  { what: 'an enumeration of numbers', files: thing('"kind": { "type": "enumeration",\n "enum": [1, 2] }'), problems: [at('error', 'invalid-enum', 13, 'kind')], message: /list of texts/ },
  { what: 'a value twice', files: thing('"kind": { "type": "enumeration",\n "enum": ["a", "b", "a"] }'), problems: [at('error', 'invalid-enum', 13, 'kind')], message: /lists a more than once/ },
  { what: 'an attribute twice', files: thing('"title": { "type": "string" }', '"count": { "type": "integer" }', '"title": { "type": "text" }'), problems: [at('error', 'duplicate-key', 14, 'title')], message: /"title" stands twice in "attributes"/ },
  { what: 'an option twice', files: thing('"title": { "type": "string",\n "required": true,\n "required": false }'), problems: [at('warning', 'duplicate-key', 14, 'title')], message: /"required" stands twice/ },
  { what: 'one name to the database', files: thing('"subHeading": { "type": "string" }', '"sub_heading": { "type": "string" }'), problems: [at('error', 'duplicate-name', 13, 'sub_heading')], message: /"sub_heading" and "subHeading" are one name to the database \(sub_heading\)/ },
  { what: 'a name with a space', files: thing('"my title": { "type": "string" }'), problems: [at('error', 'invalid-name', 12, 'my title')], message: /"my title" is no attribute name/ },
  { what: 'a name that starts with a digit', files: thing('"1st": { "type": "string" }'), problems: [at('error', 'invalid-name', 12, '1st')], message: /no attribute name/ },
  { what: 'a name without a letter', files: thing('"_": { "type": "string" }'), problems: [at('error', 'invalid-name', 12, '_')], message: /no attribute name/ },
  { what: 'an unknown custom field', files: thing('"map": { "type": "customField",\n "customField": "plugin::maps.place" }'), problems: [at('warning', 'unknown-custom-field', 12, 'map')], message: /plugin::maps.place is not known here; the attribute acts as string/ },
  { what: 'a custom field without a name', files: thing('"map": { "type": "customField" }'), problems: [at('error', 'missing-option', 12, 'map')], message: /needs "customField"/ },
  { what: 'a reserved plural name', files: { [THING]: typeText('thing', [], { pluralName: 'users', collectionName: 'things' }) }, problems: [at('error', 'reserved-name', 6)], message: /"users" would take the address of a built-in route/ },
  { what: 'a reserved name of a single type', files: { [THING.replaceAll('thing', 'upload')]: typeText('upload', [], { kind: 'singleType' }) }, problems: [`error reserved-name ${typePath('upload')}:5`], message: /"upload" would take the address/ },
  { what: 'a component in the wrong category', files: { 'src/components/shared/part.json': `{\n "category": "blocks",\n "attributes": {} }` }, problems: ['error category-mismatch src/components/shared/part.json:2'], message: /the category "blocks" but lies in the folder "shared"/, allowed: ['shared'] },
  { what: 'a component with a strange name', files: { 'src/components/shared/my part.json': componentText([]) }, problems: ['error invalid-name src/components/shared/my part.json:1'], message: /"my part" is no name for a component/ },
  { what: 'a reserved name in a component', files: component('"id": { "type": "string" }', '"status": { "type": "string" }'), problems: ['error reserved-name src/components/shared/part.json:5 id', 'warning reserved-name src/components/shared/part.json:6 status'], message: /is kept for the system/ },
  { what: 'an extension of nothing', files: { 'src/extensions/documentation/content-types/page/schema.json': '{}' }, problems: ['warning ignored-file src/extensions/documentation/content-types/page/schema.json:1'], message: /no built-in type plugin::documentation.page/ },
];

describe('one mistake in a file', () => {
  it.each(cases.map((one) => [one.what, one] as const))('%s', (_what, { files, problems, message, allowed }) => {
    const built = buildFiles(files);
    expect(built.problems.map(printProblem)).toEqual(problems);
    expect(built.problems[0]?.message).toMatch(message);
    expect(built.problems[0]).toMatchObject(allowed === undefined ? {} : { allowed });
    expect(built.model === null).toBe(problems.some((problem) => problem.startsWith('error')));
  });
});

describe('reserved attribute names', () => {
  const names = [
    'id', 'documentId', 'document_id', 'createdAt', 'updatedAt', 'publishedAt', 'created_by_id', 'updated_by_id', 'createdBy', 'updatedBy', 'entry_id',
    'status', 'localizations', 'meta', 'locale', '__component', '__contentType', '__proto__', 'strapiVersion', '_strapi', '__strapi_x', 'PublishedAt', 'ENTRY_ID',
  ];

  it.each(names)('%s', (name) => {
    expect(buildFiles(thing(`"${name}": { "type": "string" }`)).problems.map(printProblem)).toEqual([at('error', 'reserved-name', 12, name)]);
  });

  it.each(['component', 'contentType', 'idea', 'metadata', 'statusText', 'version', 'document', 'constructor', 'toString', 'select', 'order', 'my-name', 'AND'])('%s is free', (name) => {
    const { model, problems } = buildFiles(thing(`"${name}": { "type": "string" }`));
    expect(problems).toEqual([]);
    expect(Object.keys(model?.typesByUid['api::thing.thing']?.attributes ?? {})).toEqual([name]);
  });
});

describe('what files may say without a word from us', () => {
  it('options of the admin panel, null for "not set", unset bounds', () => {
    const { problems } = buildFiles(thing(
      '"title": { "type": "string", "configurable": true, "writable": true, "visible": false, "searchable": true, "conditions": { "visible": {} }, "displayName": "x", "columnType": "longtext", "default": null, "minLength": null, "regex": null }',
      '"count": { "type": "biginteger", "min": "", "max": null, "default": "9223372036854775807" }',
      '"slug": { "type": "uid", "targetField": "title", "options": { "separator": "_" } }',
      '"color": { "type": "customField", "customField": "plugin::color-picker.color" }',
      '"body": { "type": "customField", "customField": "plugin::ckeditor5.CKEditor", "options": { "preset": "default" } }',
      '"choice": { "type": "customField", "customField": "plugin::multi-select.multi-select", "options": ["a"] }',
    ));
    expect(problems).toEqual([]);
  });

  it('no kind, no collectionName, no displayName, no options', () => {
    const { model, problems } = buildFiles({ [typePath('blog-post')]: '{ "info": { "singularName": "blog-post", "pluralName": "blog-posts" }, "attributes": {} }' });
    expect(problems).toEqual([]);
    expect(model?.typesByUid['api::blog-post.blog-post']).toMatchObject({ kind: 'collectionType', collectionName: 'blog_posts', displayName: 'blog-post', draftAndPublish: false, localized: false });
  });

  it('a byte order mark and Windows line ends', () => {
    const text = `\uFEFF${typeText('thing', ['"title": { "type": "nope" }']).replaceAll('\n', '\r\n')}`;
    expect(buildFiles({ [THING]: text }).problems.map(printProblem)).toEqual([at('error', 'unknown-type', 12, 'title')]);
  });
});

describe('custom fields', () => {
  it('act as their base type and keep their name', () => {
    const { model } = buildFiles(thing('"color": { "type": "customField", "customField": "plugin::color-picker.color" }', '"body": { "type": "customField", "customField": "plugin::my-editor.rich" }'));
    const { color, body } = model?.typesByUid['api::thing.thing']?.attributes ?? {};
    expect(color).toMatchObject({ type: 'string', customField: 'plugin::color-picker.color' });
    expect(body).toMatchObject({ type: 'richtext', customField: 'plugin::my-editor.rich' });
  });
});
