import { describe, expect, it } from 'vitest';
import { buildModel } from '../../../src/model/build-model.js';
import type { BuiltModel } from '../../../src/model/build-model.js';
import { definitionsFrom, modelFrom } from '../../support/models.js';
import type { ProjectLiteral, TypeLiteral } from '../../support/models.js';

const TIMES = ['created_at', 'updated_at', 'published_at'];

const thing = (literal: TypeLiteral): ProjectLiteral => ({ types: { thing: literal } });

const columnsOf = (literal: TypeLiteral): readonly string[] =>
  modelFrom(thing(literal)).typesByUid['api::thing.thing']?.indexes.map((index) =>
    index.map(({ column }) => column).join('+'),
  ) ?? [];

const problemsOf = (project: ProjectLiteral): readonly string[] =>
  (buildModel(definitionsFrom(project)) satisfies BuiltModel).problems.map(
    ({ severity, attribute, message }) => `${severity} ${attribute ?? '-'}: ${message}`,
  );

describe('the indexes of a type', () => {
  it('are those of its times, of unique attributes, and those that are declared', () => {
    const attributes = {
      subTitle: { type: 'string', index: true },
      slug: { type: 'uid' },
      code: { type: 'string', unique: true },
      body: { type: 'text' },
      views: { type: 'integer', index: false },
    };
    expect(columnsOf({ attributes })).toEqual([...TIMES, 'sub_title', 'slug', 'code']);
  });

  it('are those that the schema file lists, by columns or attributes, each once', () => {
    const attributes = { subTitle: { type: 'string', index: true }, views: { type: 'integer' } };
    const indexes = [
      { name: 'a', columns: ['sub_title'] },
      { name: 'b', columns: ['subTitle', 'views', 'published_at'] },
    ];
    expect(columnsOf({ attributes, indexes })).toEqual([
      ...TIMES,
      'sub_title',
      'sub_title+views+published_at',
    ]);
  });

  it('are none for a single type', () => {
    expect(columnsOf({ kind: 'singleType', attributes: { code: { type: 'string', unique: true } } })).toEqual(
      [],
    );
  });

  it.each(['text', 'richtext', 'json', 'blocks', 'password'])('cannot hold the values of %s', (type) => {
    expect(problemsOf(thing({ attributes: { x: { type, index: true } } }))).toEqual([
      `error x: an attribute of the type ${type} cannot have an index`,
    ]);
  });

  it('leave out columns that do not exist, with a warning', () => {
    const indexes = [{ columns: ['nope'] }];
    expect(problemsOf(thing({ attributes: { x: { type: 'string' } }, indexes }))).toEqual([
      'warning -: "indexes" names nope, which cannot be indexed; this index is left out',
    ]);
  });

  it('reach no attribute of a component, with a warning', () => {
    expect(
      problemsOf({ components: { 'shared.seo': { attributes: { x: { type: 'string', index: true } } } } }),
    ).toEqual(['warning x: attributes of components cannot have an index; "index" is ignored']);
  });
});

describe('the full-text index of a type', () => {
  const textsOf = (literal: TypeLiteral): readonly string[] | undefined =>
    modelFrom(thing(literal)).typesByUid['api::thing.thing']?.search?.texts.map((values) =>
      values.map(({ column }) => column).join('+'),
    );

  it('has each declared text, and one text of all short values that a search reads', () => {
    const attributes = {
      subTitle: { type: 'string', search: true },
      note: { type: 'string' },
      secret: { type: 'string', private: true, search: true },
      kind: { type: 'enumeration', enum: ['a'] },
      views: { type: 'integer' },
      code: { type: 'string', searchable: false },
      size: { type: 'float', searchable: false },
      isOpen: { type: 'boolean' },
    };
    expect(textsOf({ attributes })).toEqual(['sub_title', 'document_id+id+kind+views']);
  });

  it('is missing without a declaration, and for a single type', () => {
    expect(textsOf({ attributes: { x: { type: 'string' } } })).toBeUndefined();
    const attributes = { x: { type: 'string', search: true } };
    expect(textsOf({ kind: 'singleType', attributes })).toBeUndefined();
  });

  it('has another name where it holds other texts', () => {
    const nameOf = (attributes: TypeLiteral['attributes']) =>
      modelFrom(thing({ attributes })).typesByUid['api::thing.thing']?.search?.name;
    const x = { type: 'string', search: true };
    expect(nameOf({ x })).toMatch(/^galley_search_things_[0-9a-f]{8}$/);
    expect(nameOf({ x })).not.toBe(nameOf({ x, y: { type: 'text', search: true } }));
  });

  it.each(['integer', 'json', 'blocks', 'password', 'boolean'])('cannot hold the values of %s', (type) => {
    expect(problemsOf(thing({ attributes: { x: { type, search: true } } }))).toEqual([
      `error x: an attribute of the type ${type} has no text to search; ` +
        '"search" is for string, text, richtext, email and uid',
    ]);
  });

  it('reaches no attribute of a component, with a warning', () => {
    expect(
      problemsOf({ components: { 'shared.seo': { attributes: { x: { type: 'string', search: true } } } } }),
    ).toEqual(['warning x: attributes of components cannot have an index; "search" is ignored']);
  });
});
