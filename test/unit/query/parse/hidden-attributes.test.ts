import { describe, expect, it } from 'vitest';
import type { Attribute, ContentModel } from '../../../../src/model/model.js';
import type { RawReadParams } from '../../../../src/query/read-context.js';
import { modelFrom } from '../../../support/models.js';
import type { ReadTestOptions } from './read-helpers.js';
import { read, errorOf } from './read-helpers.js';

const USER = 'plugin::users-permissions.user';

const to = (relation: string, target: string, more: object = {}): Readonly<Record<string, unknown>> => ({
  type: 'relation',
  relation,
  target,
  ...more,
});

/** All types are related to one another, and each has a private attribute. */
const model: ContentModel = modelFrom({
  types: {
    note: {
      draftAndPublish: true,
      localized: true,
      attributes: {
        title: { type: 'string' },
        hidden: { type: 'string', private: true },
        pin: { type: 'password' },
        secrets: { type: 'json', private: true },
        owner: to('manyToOne', USER, { inversedBy: 'notes' }),
        folder: to('manyToOne', 'api::folder.folder', { inversedBy: 'notes' }),
        boss: to('oneToOne', 'api::folder.folder', { private: true }),
        card: { type: 'component', component: 'shared.card' },
        cards: { type: 'component', component: 'shared.card', repeatable: true },
        zone: { type: 'dynamiczone', components: ['shared.card'] },
        picture: { type: 'media', allowedTypes: ['images'] },
      },
    },
    folder: {
      attributes: {
        name: { type: 'string' },
        hidden: { type: 'integer', private: true },
        notes: to('oneToMany', 'api::note.note', { mappedBy: 'folder' }),
        members: to('manyToMany', USER),
      },
    },
  },
  components: {
    'shared.card': {
      attributes: {
        label: { type: 'string' },
        hidden: { type: 'string', private: true },
        pin: { type: 'password' },
        owner: to('oneToOne', USER),
      },
    },
  },
  user: {
    attributes: {
      team: { type: 'string' },
      hidden: { type: 'string', private: true },
      notes: to('oneToMany', 'api::note.note', { mappedBy: 'owner' }),
    },
  },
});

/** Names of tables, columns, links and internal fields, and of members of every object. */
const INTERNAL = [
  'document_id',
  'owner_document_id',
  'ownerDocumentId',
  'folder_document_id',
  'role_document_id',
  'roleDocumentId',
  'source_id',
  'sourceId',
  'target_document_id',
  'target_status',
  'position',
  'inverse_position',
  'revision',
  'status',
  'notes_documents',
  'up_users',
  'up_users.password',
  'password_hash',
  'createdBy',
  'updatedBy',
  'localizations.hidden',
  't0',
  'rowid',
  'ctid',
  'constructor',
];

const DEPTH = 3;

type Attributes = Readonly<Record<string, Attribute>>;

interface SchemaPath {
  /** Names of relations and components from the root. */
  readonly path: readonly string[];
  readonly attributes: Attributes;
}

const isPublic = (attribute: Attribute): boolean => !attribute.private;

const targetAttributes = (attribute: Attribute): Attributes | null => {
  if (attribute.family === 'component') return model.componentsByUid[attribute.component]?.attributes ?? null;
  if (attribute.family === 'relation' && attribute.target !== null)
    return model.typesByUid[attribute.target]?.attributes ?? null;
  return null;
};

const pathsFrom = (attributes: Attributes, path: readonly string[] = []): readonly SchemaPath[] => {
  const further =
    path.length === DEPTH
      ? []
      : Object.values(attributes)
          .filter(isPublic)
          .flatMap((attribute) => {
            const next = targetAttributes(attribute);
            return next === null ? [] : pathsFrom(next, [...path, attribute.name]);
          });
  return [{ path, attributes }, ...further];
};

const hiddenIn = (attributes: Attributes): readonly string[] =>
  Object.values(attributes)
    .filter((attribute) => attribute.private || attribute.type === 'password')
    .map(({ name }) => name);

const nest = (
  path: readonly string[],
  inner: unknown,
  wrap: (name: string, value: unknown) => unknown = (name, value) => ({ [name]: value }),
): unknown => path.reduceRight<unknown>((value, name) => wrap(name, value), inner);

const populated = (path: readonly string[], inner: object): unknown =>
  nest(path, inner, (name, value) => ({ populate: { [name]: value } }));

/** Every form in which a request could name an attribute at the end of a path. */
const attempts = ({ path }: SchemaPath, name: string): readonly RawReadParams[] => {
  const condition = nest(path, { [name]: { $startsWith: 'x' } });
  const own: readonly RawReadParams[] = [
    { filters: condition },
    { filters: nest(path, { [name]: 'x' }) },
    { filters: nest(path, { [name]: { $null: true } }) },
    { filters: { $not: condition } },
    { filters: { $or: [{ id: 1 }, { $and: [condition] }] } },
    { filters: nest(path, { $not: { [name]: { $in: ['x'] } } }) },
    { sort: [...path, name].join('.') },
    { sort: ['id', `${[...path, name].join('.')}:desc`] },
    { sort: nest(path, { [name]: 'asc' }) },
  ];
  const inside = [
    { fields: [name] },
    { fields: `id,${name}` },
    { filters: { [name]: { $ne: 'x' } } },
    { sort: name },
  ].map((inner) => populated(path, inner) as RawReadParams);
  return [...own, ...inside];
};

const root = (uid: string): Attributes => model.typesByUid[uid]?.attributes ?? {};

describe.each(['api::note.note', 'api::folder.folder', USER])('from %s', (uid) => {
  const schemaPaths = pathsFrom(root(uid));

  it('there are enough paths to test', () => {
    expect(schemaPaths.length).toBeGreaterThan(5);
    expect(
      schemaPaths.filter(({ path, attributes }) => path.length === DEPTH && hiddenIn(attributes).length > 0)
        .length,
    ).toBeGreaterThan(2);
  });

  it('no path reaches a private or password attribute, in any form of request', () => {
    for (const schemaPath of schemaPaths) {
      for (const name of hiddenIn(schemaPath.attributes)) {
        for (const raw of attempts(schemaPath, name))
          expect([raw, errorOf(() => read(uid, raw, { model })).kind]).toEqual([raw, 'validation']);
      }
    }
  });

  it('no path reaches an internal column or table', () => {
    for (const schemaPath of schemaPaths) {
      for (const name of INTERNAL) {
        for (const raw of attempts(schemaPath, name))
          expect([raw, errorOf(() => read(uid, raw, { model })).kind]).toEqual([raw, 'validation']);
      }
    }
  });

  it('every path reaches a public attribute at its end', () => {
    for (const schemaPath of schemaPaths) {
      const open = Object.values(schemaPath.attributes).find(
        (attribute) => attribute.family === 'scalar' && attribute.type === 'string' && isPublic(attribute),
      );
      if (open === undefined) continue;
      expect(() =>
        read(uid, { filters: nest(schemaPath.path, { [open.name]: { $startsWith: 'x' } }) }, { model }),
      ).not.toThrow();
      expect(() =>
        read(uid, populated(schemaPath.path, { fields: [open.name] }) as RawReadParams, { model }),
      ).not.toThrow();
    }
  });

  it('private relations cannot be populated, filtered or sorted by', () => {
    const hidden = Object.values(root(uid)).filter(
      (attribute) => attribute.private && targetAttributes(attribute) !== null,
    );
    for (const { name } of hidden) {
      for (const raw of [
        { populate: name },
        { populate: { [name]: true } },
        { populate: `${name}.notes` },
        { filters: { [name]: { id: 1 } } },
        { filters: { [name]: { $null: true } } },
        { sort: `${name}.id` },
      ]) {
        expect([raw, errorOf(() => read(uid, raw, { model })).kind]).toEqual([raw, 'validation']);
      }
    }
  });
});

describe('in a dynamic zone', () => {
  it.each(['hidden', 'pin', 'document_id'])('%s of a component cannot be read', (name) => {
    for (const inner of [{ fields: [name] }, { sort: name }, { filters: { [name]: 'x' } }]) {
      const raw = { populate: { zone: { on: { 'shared.card': inner } } } };
      expect([raw, errorOf(() => read('api::note.note', raw, { model })).kind]).toEqual([raw, 'validation']);
    }
    const further = {
      populate: { zone: { on: { 'shared.card': { populate: { owner: { fields: ['password'] } } } } } },
    };
    expect(errorOf(() => read('api::note.note', further, { model })).kind).toBe('validation');
    expect(() =>
      read(
        'api::note.note',
        {
          populate: {
            zone: { on: { 'shared.card': { fields: ['label'], populate: { owner: { fields: ['team'] } } } } },
          },
        },
        { model },
      ),
    ).not.toThrow();
  });
});

describe('a search', () => {
  const NOTE = 'api::note.note';
  const fieldsOf = (options: ReadTestOptions): readonly unknown[] => {
    const { filter } = read(NOTE, { _q: 'x' }, { model, ...options });
    return filter?.kind === 'or' ? filter.items.map((item) => item.kind === 'compare' && item.field) : [];
  };

  it('leaves private attributes and passwords out', () => {
    expect(fieldsOf({})).toEqual(['id', 'documentId', 'locale', 'title']);
  });

  it('leaves out what the scope of the caller does not cover', () => {
    const scopeOf = () => ({ fields: new Set(['folder']), filter: null });
    expect(fieldsOf({ access: { canFind: () => true, scopeOf } })).toEqual(['id', 'documentId', 'locale']);
  });

  it.each([[['a', 'b']], [{ a: 1 }], [7], ['a\0b']])('refuses %j', (_q) => {
    expect(errorOf(() => read(NOTE, { _q }, { model })).message).toContain('Invalid parameter _q: ');
  });
});
