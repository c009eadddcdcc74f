import { describe, expect, it } from 'vitest';
import type { Attribute, ContentModel } from '../../../src/model/model.js';
import type { RawReadParams } from '../../../src/query/query.js';
import { modelFrom } from '../../support/models.js';
import { read, refusal } from './reading.js';

const USER = 'plugin::users-permissions.user';

const to = (relation: string, target: string, more: object = {}): Readonly<Record<string, unknown>> => ({ type: 'relation', relation, target, ...more });

/** Everything hangs together with everything, and something is hidden everywhere. */
const model: ContentModel = modelFrom({
  types: {
    note: {
      draftAndPublish: true, localized: true,
      attributes: {
        title: { type: 'string' }, hidden: { type: 'string', private: true }, pin: { type: 'password' }, secrets: { type: 'json', private: true },
        owner: to('manyToOne', USER, { inversedBy: 'notes' }), folder: to('manyToOne', 'api::folder.folder', { inversedBy: 'notes' }), boss: to('oneToOne', 'api::folder.folder', { private: true }),
        card: { type: 'component', component: 'shared.card' }, cards: { type: 'component', component: 'shared.card', repeatable: true },
        zone: { type: 'dynamiczone', components: ['shared.card'] }, picture: { type: 'media', allowedTypes: ['images'] },
      },
    },
    folder: { attributes: { name: { type: 'string' }, hidden: { type: 'integer', private: true }, notes: to('oneToMany', 'api::note.note', { mappedBy: 'folder' }), members: to('manyToMany', USER) } },
  },
  components: { 'shared.card': { attributes: { label: { type: 'string' }, hidden: { type: 'string', private: true }, pin: { type: 'password' }, owner: to('oneToOne', USER) } } },
  user: { attributes: { team: { type: 'string' }, hidden: { type: 'string', private: true }, notes: to('oneToMany', 'api::note.note', { mappedBy: 'owner' }) } },
});

/** What tables, columns, links and the server's own book-keeping are called, and what every object has. */
const INTERNAL = [
  'document_id', 'owner_document_id', 'ownerDocumentId', 'folder_document_id', 'role_document_id', 'roleDocumentId', 'source_id', 'sourceId', 'target_document_id', 'target_status', 'position',
  'inverse_position', 'revision', 'status', 'notes_documents', 'up_users', 'up_users.password', 'password_hash', 'createdBy', 'updatedBy', 'localizations.hidden', 't0', 'rowid', 'ctid', 'constructor',
];

const DEPTH = 3;

type Holder = Readonly<Record<string, Attribute>>;

interface Way {
  /** Names of relations and components from the root. */
  readonly path: readonly string[];
  readonly end: Holder;
}

const isOpen = (attribute: Attribute): boolean => !attribute.private;

const behind = (attribute: Attribute): Holder | null => {
  if (attribute.family === 'component') return model.componentsByUid[attribute.component]?.attributes ?? null;
  if (attribute.family === 'relation' && attribute.target !== null) return model.typesByUid[attribute.target]?.attributes ?? null;
  return null;
};

const waysFrom = (end: Holder, path: readonly string[] = []): readonly Way[] => {
  const further = path.length === DEPTH ? [] : Object.values(end).filter(isOpen).flatMap((attribute) => {
    const next = behind(attribute);
    return next === null ? [] : waysFrom(next, [...path, attribute.name]);
  });
  return [{ path, end }, ...further];
};

const hiddenIn = (end: Holder): readonly string[] => Object.values(end).filter((attribute) => attribute.private || attribute.type === 'password').map(({ name }) => name);

const nest = (path: readonly string[], inner: unknown, wrap: (name: string, value: unknown) => unknown = (name, value) => ({ [name]: value })): unknown =>
  path.reduceRight<unknown>((value, name) => wrap(name, value), inner);

const populated = (path: readonly string[], inner: object): unknown => nest(path, inner, (name, value) => ({ populate: { [name]: value } }));

/** Every spelling by which a request could name an attribute at the end of a way. */
const attempts = ({ path }: Way, name: string): readonly RawReadParams[] => {
  const condition = nest(path, { [name]: { $startsWith: 'x' } });
  const own: readonly RawReadParams[] = [
    { filters: condition }, { filters: nest(path, { [name]: 'x' }) }, { filters: nest(path, { [name]: { $null: true } }) },
    { filters: { $not: condition } }, { filters: { $or: [{ id: 1 }, { $and: [condition] }] } }, { filters: nest(path, { $not: { [name]: { $in: ['x'] } } }) },
    { sort: [...path, name].join('.') }, { sort: ['id', `${[...path, name].join('.')}:desc`] }, { sort: nest(path, { [name]: 'asc' }) },
  ];
  const inside = [{ fields: [name] }, { fields: `id,${name}` }, { filters: { [name]: { $ne: 'x' } } }, { sort: name }].map((inner) => populated(path, inner) as RawReadParams);
  return [...own, ...inside];
};

const root = (uid: string): Holder => model.typesByUid[uid]?.attributes ?? {};

describe.each(['api::note.note', 'api::folder.folder', USER])('from %s', (uid) => {
  const ways = waysFrom(root(uid));

  it('many ways lead on', () => {
    expect(ways.length).toBeGreaterThan(5);
    expect(ways.filter(({ path, end }) => path.length === DEPTH && hiddenIn(end).length > 0).length).toBeGreaterThan(2);
  });

  it('nothing hidden is reached by any of them, however it is asked for', () => {
    for (const way of ways) {
      for (const name of hiddenIn(way.end)) {
        for (const raw of attempts(way, name)) expect([raw, refusal(() => read(uid, raw, { model })).kind]).toEqual([raw, 'validation']);
      }
    }
  });

  it('nothing internal is reached either', () => {
    for (const way of ways) {
      for (const name of INTERNAL) {
        for (const raw of attempts(way, name)) expect([raw, refusal(() => read(uid, raw, { model })).kind]).toEqual([raw, 'validation']);
      }
    }
  });

  it('what is public at the end of each way is reached', () => {
    for (const way of ways) {
      const open = Object.values(way.end).find((attribute) => attribute.family === 'scalar' && attribute.type === 'string' && isOpen(attribute));
      if (open === undefined) continue;
      expect(() => read(uid, { filters: nest(way.path, { [open.name]: { $startsWith: 'x' } }) }, { model })).not.toThrow();
      expect(() => read(uid, populated(way.path, { fields: [open.name] }) as RawReadParams, { model })).not.toThrow();
    }
  });

  it('private relations are not shown the way by', () => {
    const hidden = Object.values(root(uid)).filter((attribute) => attribute.private && behind(attribute) !== null);
    for (const { name } of hidden) {
      for (const raw of [{ populate: name }, { populate: { [name]: true } }, { populate: `${name}.notes` }, { filters: { [name]: { id: 1 } } }, { filters: { [name]: { $null: true } } }, { sort: `${name}.id` }]) {
        expect([raw, refusal(() => read(uid, raw, { model })).kind]).toEqual([raw, 'validation']);
      }
    }
  });
});

describe('in a dynamic zone', () => {
  it.each(['hidden', 'pin', 'document_id'])('%s of its components is not reached', (name) => {
    for (const inner of [{ fields: [name] }, { sort: name }, { filters: { [name]: 'x' } }]) {
      const raw = { populate: { zone: { on: { 'shared.card': inner } } } };
      expect([raw, refusal(() => read('api::note.note', raw, { model })).kind]).toEqual([raw, 'validation']);
    }
    const further = { populate: { zone: { on: { 'shared.card': { populate: { owner: { fields: ['password'] } } } } } } };
    expect(refusal(() => read('api::note.note', further, { model })).kind).toBe('validation');
    expect(() => read('api::note.note', { populate: { zone: { on: { 'shared.card': { fields: ['label'], populate: { owner: { fields: ['team'] } } } } } } }, { model })).not.toThrow();
  });
});
