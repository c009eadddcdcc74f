import { describe, expect, it } from 'vitest';
import { buildFiles, componentText, printProblem, typePath, typeText } from '../../support/schema-files.js';
import type { Files } from '../../support/schema-files.js';

const THING = typePath('thing');
const OTHER = typePath('other');
const PART = 'src/components/shared/part.json';

const thing = (...attributes: string[]): Files => ({ [THING]: typeText('thing', attributes) });
const both = (own: readonly string[], others: readonly string[]): Files => ({ [THING]: typeText('thing', own), [OTHER]: typeText('other', others) });

const relation = (name: string, kind: string, rest = ''): string => `"${name}": { "type": "relation",\n "relation": "${kind}",\n "target": "api::other.other"${rest === '' ? '' : `,\n ${rest}`} }`;
const back = (name: string, kind: string, rest = ''): string => relation(name, kind, rest).replace('api::other.other', 'api::thing.thing');

interface Case {
  readonly what: string;
  readonly files: Files;
  readonly problems: readonly string[];
  readonly message: RegExp;
  readonly allowed?: readonly string[];
}

const at = (code: string, line: number, attribute?: string, file = THING): string => `error ${code} ${file}:${line}${attribute === undefined ? '' : ` ${attribute}`}`;

const KINDS = ['oneToOne', 'oneToMany', 'manyToOne', 'manyToMany', 'morphOne', 'morphMany', 'morphToOne', 'morphToMany'];

const relationCases: readonly Case[] = [
  { what: 'no kind', files: thing('"x": { "type": "relation", "target": "api::thing.thing" }'), problems: [at('unknown-relation', 12, 'x')], message: /needs "relation"/, allowed: KINDS },
  { what: 'an unknown kind', files: both([relation('x', 'oneToMny')], []), problems: [at('unknown-relation', 13, 'x')], message: /no kind of relation "oneToMny"\. Did you mean "oneToMany"/, allowed: KINDS },
  { what: 'no target', files: thing('"x": { "type": "relation", "relation": "oneToOne" }'), problems: [at('missing-option', 12, 'x')], message: /needs "target"/ },
  { what: 'a target that is not there', files: both(['"x": { "type": "relation", "relation": "oneToOne",\n "target": "api::othr.othr" }'], []), problems: [at('dangling-target', 13, 'x')], message: /no content-type api::othr.othr\. Did you mean "api::other.other"/ },
  { what: 'a component as target', files: { ...thing('"x": { "type": "relation", "relation": "oneToOne", "target": "shared.part" }'), [PART]: componentText([]) }, problems: [at('dangling-target', 12, 'x')], message: /no content-type shared.part/ },
  { what: 'both ends at once', files: both([relation('x', 'oneToOne', '"mappedBy": "y",\n "inversedBy": "y"')], [back('y', 'oneToOne')]), problems: [at('ambiguous-owner', 16, 'x')], message: /"mappedBy" and "inversedBy" exclude each other/ },
  { what: 'mappedBy on the many side', files: both([relation('x', 'manyToOne', '"mappedBy": "y"')], [back('y', 'oneToMany')]), problems: [at('wrong-side', 15, 'x')], message: /manyToOne relation cannot have "mappedBy"/, allowed: ['inversedBy'] },
  { what: 'inversedBy on the one side', files: both([relation('x', 'oneToMany', '"inversedBy": "y"')], [back('y', 'manyToOne')]), problems: [at('wrong-side', 15, 'x')], message: /oneToMany relation cannot have "inversedBy"/, allowed: ['mappedBy'] },
  { what: 'an inverse that is not there', files: both([relation('x', 'manyToOne', '"inversedBy": "thngs"')], [back('things', 'oneToMany')]), problems: [at('missing-inverse', 15, 'x')], message: /api::other.other has no attribute "thngs"\. Did you mean "things"/, allowed: ['things'] },
  { what: 'an owner that is not there', files: both([relation('x', 'oneToMany', '"mappedBy": "y"')], []), problems: [at('missing-inverse', 15, 'x')], message: /no attribute "y"/ },
  { what: 'an inverse that is no relation', files: both([relation('x', 'manyToOne', '"inversedBy": "y"')], ['"y": { "type": "string" }']), problems: [at('wrong-inverse', 15, 'x')], message: /api::other.other "y" is no relation but of type string/ },
  { what: 'an inverse of the wrong kind', files: both([relation('x', 'manyToOne', '"inversedBy": "y"')], [back('y', 'manyToMany', '"mappedBy": "x"')]), problems: [at('wrong-inverse', 15, 'x'), at('wrong-inverse', 15, 'y', OTHER)].toReversed(), message: /must be manyToMany, but is manyToOne/ },
  { what: 'mappedBy without inversedBy over there', files: both([relation('x', 'oneToMany', '"mappedBy": "y"')], [back('y', 'manyToOne')]), problems: [at('wrong-inverse', 15, 'x')], message: /api::other.other "y" must say "inversedBy": "x"/ },
  { what: 'an inverse that follows another', files: both([relation('x', 'oneToOne', '"inversedBy": "y"'), relation('z', 'oneToOne', '"inversedBy": "y"')], [back('y', 'oneToOne', '"mappedBy": "x"')]), problems: [at('wrong-inverse', 19, 'z')], message: /"y" says "mappedBy": "x", not "z"/ },
  { what: 'an inverse of another type', files: both([relation('x', 'oneToOne', '"inversedBy": "y"')], ['"y": { "type": "relation", "relation": "oneToOne", "target": "api::other.other", "mappedBy": "y2" }', '"y2": { "type": "relation", "relation": "oneToOne", "target": "api::other.other", "inversedBy": "y" }']), problems: [at('wrong-inverse', 15, 'x')], message: /"y" points at api::other.other, not at api::thing.thing/ },
  { what: 'morphMany without morphBy', files: both([relation('x', 'morphMany')], []), problems: [at('missing-option', 12, 'x')], message: /morphMany relation needs "morphBy"/ },
  { what: 'morphBy at a plain relation', files: both([relation('x', 'morphOne', '"morphBy": "y"')], [back('y', 'manyToMany')]), problems: [at('wrong-inverse', 15, 'x')], message: /must be morphToOne or morphToMany, but is manyToMany/ },
  { what: 'two followers of one polymorphic relation', files: both([relation('x', 'morphOne', '"morphBy": "y"'), relation('z', 'morphMany', '"morphBy": "y"')], ['"y": { "type": "relation", "relation": "morphToMany" }']), problems: [at('duplicate-inverse', 19, 'z')], message: /"x" of this type already follows api::other.other "y"/ },
];

const holderCases: readonly Case[] = [
  { what: 'an unknown component', files: { ...thing('"x": { "type": "component",\n "component": "shared.prt" }'), [PART]: componentText([]) }, problems: [at('unknown-component', 13, 'x')], message: /no component shared.prt\. Did you mean "shared.part"/, allowed: ['shared.part'] },
  { what: 'a component of another category', files: { ...thing('"x": { "type": "component",\n "component": "some-other-place.part" }'), [PART]: componentText([]) }, problems: [at('unknown-component', 13, 'x')], message: /Did you mean "shared.part"/ },
  { what: 'a component attribute without component', files: thing('"x": { "type": "component" }'), problems: [at('missing-option', 12, 'x')], message: /needs "component"/ },
  { what: 'an unknown component in a zone', files: { ...thing('"x": { "type": "dynamiczone",\n "components": ["shared.part", "shared.nope"] }'), [PART]: componentText([]) }, problems: [at('unknown-component', 13, 'x')], message: /no component shared.nope/ },
  { what: 'an empty zone', files: thing('"x": { "type": "dynamiczone",\n "components": [] }'), problems: [at('missing-option', 13, 'x')], message: /needs "components"/ },
  { what: 'more at least than at most', files: { ...thing('"x": { "type": "component", "component": "shared.part", "repeatable": true,\n "min": 3, "max": 2 }'), [PART]: componentText([]) }, problems: [at('invalid-range', 13, 'x')], message: /min 3 is above max 2/ },
  { what: 'a count that is none', files: { ...thing('"x": { "type": "component", "component": "shared.part",\n "max": "four" }'), [PART]: componentText([]) }, problems: [at('invalid-option', 13, 'x')], message: /"max" must be a whole number/ },
  { what: 'an unknown kind of file', files: thing('"x": { "type": "media",\n "allowedTypes": ["images", "films"] }'), problems: [at('invalid-option', 13, 'x')], message: /lists films, which is no kind of file/, allowed: ['images', 'videos', 'files', 'audios'] },
  { what: 'a targetField that is not there', files: thing('"title": { "type": "string" }', '"slug": { "type": "uid",\n "targetField": "titel" }'), problems: [at('invalid-target-field', 14, 'slug')], message: /"titel" named by "targetField" does not exist\. Did you mean "title"/, allowed: ['title'] },
  { what: 'a targetField that is no text', files: thing('"count": { "type": "integer" }', '"slug": { "type": "uid",\n "targetField": "count" }'), problems: [at('invalid-target-field', 14, 'slug')], message: /is of type integer, not a text/ },
  { what: 'a uid of itself', files: thing('"slug": { "type": "uid",\n "targetField": "slug" }'), problems: [at('invalid-target-field', 13, 'slug')], message: /targetField/ },
  { what: 'a two-way relation in a component', files: { ...thing(), [PART]: componentText(['"x": { "type": "relation", "relation": "manyToOne", "target": "api::thing.thing",\n "inversedBy": "parts" }']) }, problems: [at('component-relation', 6, 'x', PART)], message: /must be one-way: it cannot have "inversedBy"/, allowed: ['oneToOne', 'oneToMany', 'manyToOne', 'manyToMany'] },
  { what: 'a polymorphic relation in a component', files: { ...thing(), [PART]: componentText(['"x": { "type": "relation",\n "relation": "morphToMany" }']) }, problems: [at('component-relation', 6, 'x', PART)], message: /a component cannot hold a morphToMany relation/ },
  {
    what: 'a component that holds itself', files: { [PART]: componentText(['"x": { "type": "component", "component": "shared.part" }']) },
    problems: [at('component-cycle', 5, 'x', PART)], message: /shared\.part → shared\.part$/,
  },
  {
    what: 'components that hold each other', files: {
      'src/components/shared/a.json': componentText(['"b": { "type": "component", "component": "shared.b", "repeatable": true }']),
      'src/components/shared/b.json': componentText(['"zone": { "type": "dynamiczone", "components": ["shared.c"] }']),
      'src/components/shared/c.json': componentText(['"title": { "type": "string" }', '"a": { "type": "component", "component": "shared.a" }']),
    },
    problems: [at('component-cycle', 6, 'a', 'src/components/shared/c.json')], message: /shared\.a → shared\.b → shared\.c → shared\.a$/,
  },
];

const copy = (name: string, head: Parameters<typeof typeText>[2]): string => typeText(name, [], head);

const nameCases: readonly Case[] = [
  { what: 'a plural name twice', files: { [THING]: copy('thing', { pluralName: 'stuff' }), [OTHER]: copy('other', { pluralName: 'stuff', collectionName: 'others' }) }, problems: [at('duplicate-name', 6, undefined, THING)], message: new RegExp(`pluralName "stuff" is also the pluralName of ${OTHER}`) },
  { what: 'a singular name in two APIs', files: { [THING]: copy('thing', {}), 'src/api/more/content-types/thing/schema.json': copy('thing', { pluralName: 'more-things', collectionName: 'more' }) }, problems: [at('duplicate-name', 5, undefined, THING), at('duplicate-name', 5, undefined, THING)], message: /"(thing|Thing)" is also the (singularName|type name) of src\/api\/more/ },
  { what: 'a single type at the address of a collection', files: { [THING]: copy('thing', { pluralName: 'other' }), [OTHER]: copy('other', { kind: 'singleType' }) }, problems: [at('duplicate-name', 6, undefined, THING)], message: /pluralName "other" is also the singularName of/ },
  { what: 'a table twice', files: { [THING]: copy('thing', { collectionName: 'stuff' }), [OTHER]: copy('other', { collectionName: 'Stuff' }) }, problems: [at('duplicate-name', 3, undefined, THING)], message: new RegExp(`collectionName "stuff" is also the collectionName of ${OTHER}`) },
  { what: 'the table of a built-in type', files: { [typePath('file')]: copy('file', {}) }, problems: [at('duplicate-name', 3, undefined, typePath('file'))], message: /collectionName "files" is also the collectionName of the built-in type plugin::upload.file/ },
  { what: 'a type name twice', files: { [typePath('a-1')]: copy('a-1', {}), [typePath('a1')]: copy('a1', {}) }, problems: [at('duplicate-name', 5, undefined, typePath('a1'))], message: /type name "A1"/ },
  { what: 'a component with the type name of another', files: { 'src/components/a-b/c.json': componentText([]), 'src/components/a/b-c.json': componentText([]) }, problems: [at('duplicate-name', 1, undefined, 'src/components/a/b-c.json')], message: /"ComponentABC" is also the type name of src\/components\/a-b\/c.json/ },
];

describe.each([['relations', relationCases], ['components, media, uids', holderCases], ['names', nameCases]] as const)('one mistake between files: %s', (_group, cases) => {
  it.each(cases.map((one) => [one.what, one] as const))('%s', (_what, { files, problems, message, allowed }) => {
    const built = buildFiles(files);
    expect(built.problems.map(printProblem)).toEqual(problems);
    expect(built.problems[0]?.message).toMatch(message);
    expect(built.problems[0]).toMatchObject(allowed === undefined ? {} : { allowed });
    expect(built.model).toBeNull();
  });
});

describe('many mistakes', () => {
  it('are all reported at once, by file and line, whatever kind they are', () => {
    const { model, problems } = buildFiles({
      [THING]: typeText('thing', [
        '"title": { "type": "strng" }',
        '"count": { "type": "integer", "min": 2, "max": 1 }',
        '"other": { "type": "relation", "relation": "manyToOne", "target": "api::missing.missing" }',
        '"part": { "type": "component", "component": "shared.gone" }',
      ]),
      [OTHER]: '{ "kind": }',
      [PART]: componentText(['"id": { "type": "string" }', '"mode": { "type": "enumeration", "enum": [] }']),
    });
    expect(model).toBeNull();
    expect(problems.map(printProblem)).toEqual([
      at('broken-json', 1, undefined, OTHER),
      at('unknown-type', 12, 'title'),
      at('invalid-range', 13, 'count'),
      at('dangling-target', 14, 'other'),
      at('unknown-component', 15, 'part'),
      at('reserved-name', 5, 'id', PART),
      at('invalid-enum', 6, 'mode', PART),
    ]);
  });

  it('do not breed: what points at a broken file is not at fault', () => {
    const { problems } = buildFiles({
      [THING]: typeText('thing', ['"other": { "type": "relation", "relation": "manyToOne", "target": "api::other.other", "inversedBy": "things" }', '"part": { "type": "component", "component": "shared.part" }', '"zone": { "type": "dynamiczone", "components": ["shared.part"] }']),
      [OTHER]: '{',
      [PART]: '{',
    });
    expect(problems.map(printProblem)).toEqual([at('broken-json', 1, undefined, OTHER), at('broken-json', 1, undefined, PART)]);
  });

  it('do not breed: what names an attribute of an unknown type is not at fault', () => {
    const { problems } = buildFiles(both(
      [relation('x', 'manyToOne', '"inversedBy": "y"'), '"slug": { "type": "uid", "targetField": "title" }', '"title": { "type": "strng" }'],
      ['"y": { "type": "relatoin" }'],
    ));
    expect(problems.map(printProblem)).toEqual([at('unknown-type', 12, 'y', OTHER), at('unknown-type', 17, 'title')]);
  });

  it('warnings alone leave a model', () => {
    const { model, problems } = buildFiles(thing('"title": { "type": "string", "maxLenght": 5 }'));
    expect(problems.map(({ severity }) => severity)).toEqual(['warning']);
    expect(model?.typesByUid['api::thing.thing']?.attributes['title']).toMatchObject({ type: 'string' });
  });
});
