import { describe } from 'vitest';
import { problemAt, testProblemCases, thing } from '../../../support/schema-problems.js';
import type { ProblemCase } from '../../../support/schema-problems.js';

const attributeCases: readonly ProblemCase[] = [
  {
    what: 'an attribute that is a text',
    files: thing('"title": "string"'),
    problems: [problemAt('error', 'invalid-attribute', 12, 'title')],
    message: /must be an object with a "type"/,
  },
  {
    what: 'an attribute without type',
    files: thing('"ok": { "type": "string" }', '"title": { "required": true }'),
    problems: [problemAt('error', 'missing-type', 13, 'title')],
    message: /has no "type"/,
  },
  {
    what: 'an unknown type',
    files: thing('"title": {\n "required": true,\n "type": "strnig" }'),
    problems: [problemAt('error', 'unknown-type', 14, 'title')],
    message: /no attribute type "strnig"\. Did you mean "string"\?/,
  },
  {
    what: 'a type nothing is like',
    files: thing('"title": { "type": "quaternion" }'),
    problems: [problemAt('error', 'unknown-type', 12, 'title')],
    message: /no attribute type "quaternion"$/,
  },
  {
    what: 'an unknown option',
    files: thing('"title": {\n "type": "string",\n "maxLenght": 5 }'),
    problems: [problemAt('warning', 'unknown-option', 14, 'title')],
    message: /the type string has no option "maxLenght"; it is ignored\. Did you mean "maxLength"\?/,
  },
  {
    what: "another type's option",
    files: thing('"count": { "type": "integer", "maxLength": 5 }'),
    problems: [problemAt('warning', 'unknown-option', 12, 'count')],
    message: /type integer has no option "maxLength"/,
  },
  {
    what: 'an option of the wrong form',
    files: thing('"title": { "type": "string",\n "required": "yes" }'),
    problems: [problemAt('warning', 'invalid-option', 13, 'title')],
    message: /"required" must be true or false/,
  },
  {
    what: 'a negative length',
    files: thing('"title": { "type": "string",\n "maxLength": -1 }'),
    problems: [problemAt('warning', 'invalid-option', 13, 'title')],
    message: /"maxLength" must be a whole number, not negative/,
  },
  {
    what: 'a minimum that is text',
    files: thing('"count": { "type": "integer",\n "min": "few" }'),
    problems: [problemAt('warning', 'invalid-option', 13, 'count')],
    message: /"min" must be an integer/,
  },
  {
    what: 'a fraction as bound of integers',
    files: thing('"count": { "type": "integer",\n "max": 1.5 }'),
    problems: [problemAt('warning', 'invalid-option', 13, 'count')],
    message: /"max" must be an integer/,
  },
  {
    what: 'min above max',
    files: thing('"count": {\n "type": "decimal",\n "min": 3,\n "max": 2 }'),
    problems: [problemAt('warning', 'invalid-range', 14, 'count')],
    message: /min 3 is above max 2/,
  },
  {
    what: 'minLength above maxLength',
    files: thing('"title": { "type": "text",\n "minLength": 3, "maxLength": 2 }'),
    problems: [problemAt('warning', 'invalid-range', 13, 'title')],
    message: /minLength 3 is above maxLength 2/,
  },
  {
    what: 'a broken pattern',
    files: thing('"title": { "type": "string",\n "regex": "(" }'),
    problems: [problemAt('warning', 'invalid-regex', 13, 'title')],
    message: /"\(" is not a regular expression/,
  },
  {
    what: 'a default of another type',
    files: thing('"count": { "type": "integer",\n "default": "many" }'),
    problems: [problemAt('warning', 'invalid-default', 13, 'count')],
    message: /the default "many" is ignored: it must be an integer/,
  },
  {
    what: 'a default above the maximum',
    files: thing('"count": { "type": "integer", "max": 5,\n "default": 6 }'),
    problems: [problemAt('warning', 'invalid-default', 13, 'count')],
    message: /must be at most 5/,
  },
  {
    what: 'a default only a draft can have',
    files: thing('"count": { "type": "integer", "min": 5,\n "default": 4 }'),
    problems: [problemAt('warning', 'invalid-default', 13, 'count')],
    message: /cannot be published: it must be at least 5/,
  },
  {
    what: 'a default outside the enumeration',
    files: thing('"kind": { "type": "enumeration", "enum": ["a", "b"],\n "default": "c" }'),
    problems: [problemAt('warning', 'invalid-default', 13, 'kind')],
    message: /must be one of a, b/,
    allowed: ['a', 'b'],
  },
  {
    what: 'an enumeration without values',
    files: thing('"kind": { "type": "enumeration" }'),
    problems: [problemAt('error', 'invalid-enum', 12, 'kind')],
    message: /at least one value/,
  },
  {
    what: 'an empty enumeration',
    files: thing('"kind": { "type": "enumeration",\n "enum": [] }'),
    problems: [problemAt('warning', 'missing-option', 13, 'kind')],
    message: /lists no values; the attribute is left out/,
  },
  {
    what: 'an enumeration of numbers',
    files: thing('"kind": { "type": "enumeration",\n "enum": [1, 2] }'),
    problems: [problemAt('error', 'invalid-enum', 13, 'kind')],
    message: /list of strings that are not empty/,
  },
  {
    what: 'a value twice',
    files: thing('"kind": { "type": "enumeration",\n "enum": ["a", "b", "a"] }'),
    problems: [problemAt('error', 'invalid-enum', 13, 'kind')],
    message: /lists a more than once/,
  },
  {
    what: 'an attribute twice',
    files: thing(
      '"title": { "type": "string" }',
      '"count": { "type": "integer" }',
      '"title": { "type": "text" }',
    ),
    problems: [problemAt('warning', 'duplicate-key', 14, 'title')],
    message: /"attributes" has the key "title" twice/,
  },
  {
    what: 'an option twice',
    files: thing('"title": { "type": "string",\n "required": true,\n "required": false }'),
    problems: [problemAt('warning', 'duplicate-key', 14, 'title')],
    message: /has the key "required" twice/,
  },
  {
    what: 'two names of the same column',
    files: thing('"subHeading": { "type": "string" }', '"sub_heading": { "type": "string" }'),
    problems: [problemAt('error', 'duplicate-name', 13, 'sub_heading')],
    message: /"sub_heading" and "subHeading" are the same column in the database \(sub_heading\)/,
  },
  {
    what: 'a name with a space',
    files: thing('"my title": { "type": "string" }'),
    problems: [problemAt('warning', 'invalid-name', 12, 'my title')],
    message: /"my title" is not a valid attribute name.*GraphQL leaves it out/,
  },
  {
    what: 'a name that starts with a digit',
    files: thing('"1st": { "type": "string" }'),
    problems: [problemAt('warning', 'invalid-name', 12, '1st')],
    message: /not a valid attribute name/,
  },
  {
    what: 'a name with quotes',
    files: thing(`"it's": { "type": "string" }`),
    problems: [problemAt('warning', 'invalid-name', 12, "it's")],
    message: /not a valid attribute name.*the attribute is left out/,
  },
  {
    what: "a type that only Strapi's admin panel knows",
    files: thing('"count": { "type": "number" }'),
    problems: [problemAt('warning', 'unknown-type', 12, 'count')],
    message: /"number" are not stored, in Strapi neither; the attribute is left out/,
  },
  {
    what: 'a name without a letter',
    files: thing('"_": { "type": "string" }'),
    problems: [problemAt('warning', 'invalid-name', 12, '_')],
    message: /not a valid attribute name/,
  },
  {
    what: 'an unknown custom field',
    files: thing('"map": { "type": "customField",\n "customField": "plugin::maps.place" }'),
    problems: [problemAt('warning', 'unknown-custom-field', 12, 'map')],
    message: /plugin::maps.place is not known here; the attribute acts as string/,
  },
  {
    what: 'a custom field without a name',
    files: thing('"map": { "type": "customField" }'),
    problems: [problemAt('error', 'missing-option', 12, 'map')],
    message: /needs "customField"/,
  },
];

describe('one mistake in an attribute', () => {
  testProblemCases(attributeCases);
});
