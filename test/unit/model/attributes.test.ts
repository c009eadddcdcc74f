import { describe, expect, it } from 'vitest';
import { buildFiles, componentText, printProblem, typeText } from '../../support/schema-files.js';
import {
  errorAt,
  OTHER,
  PART,
  testProblemCases,
  THING,
  thing,
  warningAt,
} from '../../support/schema-problems.js';
import type { ProblemCase } from '../../support/schema-problems.js';
import { both, relation } from './relation-texts.js';

const schemaCases: readonly ProblemCase[] = [
  {
    what: 'an unknown component',
    files: {
      ...thing('"x": { "type": "component",\n "component": "shared.prt" }'),
      [PART]: componentText([]),
    },
    problems: [errorAt('unknown-component', 13, 'x')],
    message: /no component shared.prt\. Did you mean "shared.part"/,
    allowed: ['shared.part'],
  },
  {
    what: 'a component of another category',
    files: {
      ...thing('"x": { "type": "component",\n "component": "some-other-place.part" }'),
      [PART]: componentText([]),
    },
    problems: [errorAt('unknown-component', 13, 'x')],
    message: /Did you mean "shared.part"/,
  },
  {
    what: 'a component attribute without component',
    files: thing('"x": { "type": "component" }'),
    problems: [errorAt('missing-option', 12, 'x')],
    message: /needs "component"/,
  },
  {
    what: 'an unknown component in a zone',
    files: {
      ...thing('"x": { "type": "dynamiczone",\n "components": ["shared.part", "shared.nope"] }'),
      [PART]: componentText([]),
    },
    problems: [errorAt('unknown-component', 13, 'x')],
    message: /no component shared.nope/,
  },
  {
    what: 'an empty zone',
    files: thing('"x": { "type": "dynamiczone",\n "components": [] }'),
    problems: [warningAt('missing-option', 13, 'x')],
    message: /needs "components"/,
  },
  {
    what: 'more at least than at most',
    files: {
      ...thing(
        '"x": { "type": "component", "component": "shared.part", "repeatable": true,\n "min": 3, "max": 2 }',
      ),
      [PART]: componentText([]),
    },
    problems: [warningAt('invalid-range', 13, 'x')],
    message: /min 3 is above max 2/,
  },
  {
    what: 'a count that is none',
    files: {
      ...thing('"x": { "type": "component", "component": "shared.part",\n "max": "four" }'),
      [PART]: componentText([]),
    },
    problems: [warningAt('invalid-option', 13, 'x')],
    message: /"max" must be a whole number/,
  },
  {
    what: 'an unknown kind of file',
    files: thing('"x": { "type": "media",\n "allowedTypes": ["images", "films"] }'),
    problems: [warningAt('invalid-option', 13, 'x')],
    message: /lists films, which is not a kind of file/,
    allowed: ['images', 'videos', 'files', 'audios'],
  },
  {
    what: 'a condition with an operator that is not supported',
    files: thing(
      '"kind": { "type": "string" }',
      '"url": { "type": "string",\n "conditions": { "visible": { "=": [{ "var": "kind" }, "a"] } } }',
    ),
    problems: [errorAt('invalid-condition', 14, 'url')],
    message: /"conditions" has the operator "=", which is not supported/,
  },
  {
    what: 'a condition that is no operation',
    files: thing('"url": { "type": "string",\n "conditions": { "visible": true } }'),
    problems: [errorAt('invalid-condition', 13, 'url')],
    message: /"conditions.visible" must be an operation such as/,
  },
  {
    what: 'a condition of several operators side by side',
    files: thing('"url": { "type": "string",\n "conditions": { "visible": { "!": 1, "!!": 1 } } }'),
    problems: [errorAt('invalid-condition', 13, 'url')],
    message: /must be operations of one operator each/,
  },
  {
    what: 'a condition on a file',
    files: thing(
      '"other": { "type": "media" }',
      '"url": { "type": "string",\n "conditions": { "visible": { "!!": { "var": "other" } } } }',
    ),
    problems: [errorAt('invalid-condition', 14, 'url')],
    message: /reads "other", which is of type media and holds no single value/,
  },
  {
    what: 'a condition on an attribute that is not there',
    files: thing(
      '"kind": { "type": "string" }',
      '"url": { "type": "string",\n "conditions": { "visible": { "!!": { "var": "kin" } } } }',
    ),
    problems: [warningAt('invalid-condition', 14, 'url')],
    message: /there is no attribute "kin"; it has no value\. Did you mean "kind"/,
  },
  {
    what: 'a condition of another kind',
    files: thing('"url": { "type": "string",\n "conditions": { "enabled": {} } }'),
    problems: [warningAt('invalid-condition', 13, 'url')],
    message: /"conditions" has no "enabled"; it is ignored/,
  },
  {
    what: 'a targetField that is not there',
    files: thing('"title": { "type": "string" }', '"slug": { "type": "uid",\n "targetField": "titel" }'),
    problems: [warningAt('invalid-target-field', 14, 'slug')],
    message:
      /"titel" named by "targetField" does not exist; no value is generated from it\. Did you mean "title"/,
    allowed: ['title'],
  },
  {
    what: 'a targetField that is no text',
    files: thing('"count": { "type": "integer" }', '"slug": { "type": "uid",\n "targetField": "count" }'),
    problems: [warningAt('invalid-target-field', 14, 'slug')],
    message: /is of type integer, which is not a text type/,
  },
  {
    what: 'a uid of itself',
    files: thing('"slug": { "type": "uid",\n "targetField": "slug" }'),
    problems: [warningAt('invalid-target-field', 13, 'slug')],
    message: /targetField/,
  },
  {
    what: 'a two-way relation in a component',
    files: {
      ...thing(),
      [PART]: componentText([
        '"x": { "type": "relation", "relation": "manyToOne", "target": "api::thing.thing",\n ' +
          '"inversedBy": "parts" }',
      ]),
    },
    problems: [warningAt('component-relation', 6, 'x', PART)],
    message: /must be one-way: it cannot have "inversedBy"/,
    allowed: ['oneToOne', 'oneToMany', 'manyToOne', 'manyToMany', 'morphToOne', 'morphToMany'],
  },
  {
    what: 'a component that contains itself',
    files: { [PART]: componentText(['"x": { "type": "component", "component": "shared.part" }']) },
    problems: [warningAt('component-cycle', 5, 'x', PART)],
    message: /shared\.part → shared\.part; the last step is left out$/,
  },
  {
    what: 'components that hold each other',
    files: {
      'src/components/shared/a.json': componentText([
        '"b": { "type": "component", "component": "shared.b", "repeatable": true }',
      ]),
      'src/components/shared/b.json': componentText([
        '"zone": { "type": "dynamiczone", "components": ["shared.c"] }',
      ]),
      'src/components/shared/c.json': componentText([
        '"title": { "type": "string" }',
        '"a": { "type": "component", "component": "shared.a" }',
      ]),
    },
    problems: [warningAt('component-cycle', 6, 'a', 'src/components/shared/c.json')],
    message: /shared\.a → shared\.b → shared\.c → shared\.a; the last step is left out$/,
  },
];

describe('one mistake in a component, media or uid attribute', () => {
  testProblemCases(schemaCases);
});

describe('several mistakes', () => {
  it('are all reported in one error, sorted by file and line', () => {
    const { model, problems } = buildFiles({
      [THING]: typeText('thing', [
        '"title": { "type": "strng" }',
        '"count": { "type": "integer", "min": 2, "max": 1 }',
        '"other": { "type": "relation", "relation": "manyToOne", "target": "api::missing.missing" }',
        '"part": { "type": "component", "component": "shared.gone" }',
      ]),
      [OTHER]: '{ "kind": }',
      [PART]: componentText(['"id": { "type": "string" }', '"mode": { "type": "enumeration", "enum": [1] }']),
    });
    expect(model).toBeNull();
    expect(problems.map(printProblem)).toEqual([
      errorAt('broken-json', 1, undefined, OTHER),
      errorAt('unknown-type', 12, 'title'),
      warningAt('invalid-range', 13, 'count'),
      warningAt('dangling-target', 14, 'other'),
      errorAt('unknown-component', 15, 'part'),
      errorAt('reserved-name', 5, 'id', PART),
      errorAt('invalid-enum', 6, 'mode', PART),
    ]);
  });

  it('are not reported for attributes that refer to a broken file', () => {
    const { problems } = buildFiles({
      [THING]: typeText('thing', [
        '"other": { "type": "relation", "relation": "manyToOne", "target": "api::other.other", ' +
          '"inversedBy": "things" }',
        '"part": { "type": "component", "component": "shared.part" }',
        '"zone": { "type": "dynamiczone", "components": ["shared.part"] }',
      ]),
      [OTHER]: '{',
      [PART]: '{',
    });
    expect(problems.map(printProblem)).toEqual([
      errorAt('broken-json', 1, undefined, OTHER),
      errorAt('broken-json', 1, undefined, PART),
    ]);
  });

  it('are not reported for attributes that refer to an attribute of an unknown type', () => {
    const { problems } = buildFiles(
      both(
        [
          relation('x', 'manyToOne', '"inversedBy": "y"'),
          '"slug": { "type": "uid", "targetField": "title" }',
          '"title": { "type": "strng" }',
        ],
        ['"y": { "type": "relatoin" }'],
      ),
    );
    expect(problems.map(printProblem)).toEqual([
      errorAt('unknown-type', 12, 'y', OTHER),
      errorAt('unknown-type', 17, 'title'),
    ]);
  });

  it('result in a model if all are warnings', () => {
    const { model, problems } = buildFiles(thing('"title": { "type": "string", "maxLenght": 5 }'));
    expect(problems.map(({ severity }) => severity)).toEqual(['warning']);
    expect(model?.typesByUid['api::thing.thing']?.attributes['title']).toMatchObject({ type: 'string' });
  });
});
