import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isGalleyError } from '../../../src/errors/galley-error.js';
import type { Attribute, ContentModel } from '../../../src/model/model.js';
import { databases } from '../../support/databases.js';
import { createWorld } from '../../support/world.js';
import type { World } from '../../support/world.js';
import { createApi, dumpContent, faultsOf } from './service.js';
import type { Api } from './service.js';

const DOCUMENT_ID = /^[a-z][a-z0-9]{23}$/;

/** Id of the file that media attributes link. */
const FILE_ID = 1;

/** A value that every constraint of the fixtures lets pass. */
const sample = (model: ContentModel, attribute: Attribute): unknown => {
  switch (attribute.family) {
    case 'relation': return attribute.many ? [] : null;
    case 'media': return attribute.many ? [FILE_ID] : FILE_ID;
    case 'component': {
      const item = sampleOf(model, model.componentsByUid[attribute.component]?.attributes ?? {});
      return attribute.repeatable ? Array.from({ length: attribute.min ?? 1 }, () => item) : item;
    }
    case 'dynamiczone': return attribute.components.map((uid) => ({ __component: uid, ...(sampleOf(model, model.componentsByUid[uid]?.attributes ?? {}) as object) }));
    case 'scalar': return sampleScalar(attribute);
    default: return attribute satisfies never;
  }
};

const sampleScalar = ({ type, constraints }: Attribute & { readonly family: 'scalar' }): unknown => {
  const values: Readonly<Record<string, unknown>> = {
    integer: 7, biginteger: '9007199254740993', float: 1.5, decimal: 2.25, boolean: true, date: '2026-02-28', time: '10:30:15.000', datetime: '2026-02-28T10:30:15.000Z', timestamp: '2026-02-28T10:30:15.000Z',
    json: { a: [1, null, 'é'] }, blocks: [{ type: 'paragraph', children: [{ type: 'text', text: 'x' }] }], enumeration: constraints.enum?.[0], email: 'a@b.org', password: 'hunter22',
  };
  const text = 'some-text'.padEnd(constraints.minLength ?? 0, '-').slice(0, constraints.maxLength);
  return values[type] ?? text;
};

const sampleOf = (model: ContentModel, attributes: Readonly<Record<string, Attribute>>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.values(attributes).map((attribute) => [attribute.name, sample(model, attribute)]));

const ODD_NAMES = {
  types: {
    'order-of-the-day': {
      draftAndPublish: true, localized: true,
      attributes: {
        select: { type: 'string', unique: true, pluginOptions: { i18n: { localized: true } } }, from: { type: 'text' }, 'group-by': { type: 'json' }, where: { type: 'boolean' },
        model: { type: 'integer' }, AND: { type: 'decimal' }, anAttributeWhoseNameIsFarLongerThanFortyCharactersAndGoesOnAndOnForEver: { type: 'datetime' },
        table: { type: 'relation', relation: 'manyToOne', target: 'api::user-table.user-table', inversedBy: 'order' }, join: { type: 'relation', relation: 'manyToMany', target: 'api::user-table.user-table', inversedBy: 'union' },
        default: { type: 'component', component: 'group.limit', repeatable: true },
      },
    },
    'user-table': {
      collectionName: 'select', attributes: {
        name: { type: 'string' }, order: { type: 'relation', relation: 'oneToMany', target: 'api::order-of-the-day.order-of-the-day', mappedBy: 'table' }, union: { type: 'relation', relation: 'manyToMany', target: 'api::order-of-the-day.order-of-the-day', mappedBy: 'join' },
      },
    },
  },
  components: { 'group.limit': { attributes: { offset: { type: 'biginteger' }, 'double-dash': { type: 'string' }, in: { type: 'relation', relation: 'oneToMany', target: 'api::user-table.user-table' } } } },
} as const;

describe.each(databases)('values on $name', (database) => {
  describe('of the magazine', () => {
    let world: World;
    let api: Api;
    beforeAll(async () => {
      world = await createWorld({ model: 'magazine', database });
      api = createApi(world);
    });
    afterAll(() => world.close());

    it('documents get ids of their own, and types without drafts a time of publishing', async () => {
      const records = await Promise.all(Array.from({ length: 20 }, (_, index) => api.create('tag', { name: `n${index}` })));
      expect(records.every(({ documentId }) => DOCUMENT_ID.test(documentId))).toBe(true);
      expect(new Set(records.map(({ documentId }) => documentId)).size).toBe(20);
      const times = { publishedAt: records[0]?.['publishedAt'], createdAt: records[0]?.['publishedAt'] };
      expect(records[0]).toMatchObject(times);
      expect(await api.update('tag', records[0]?.documentId ?? '', { weight: 1 })).toMatchObject(times);
    });

    it('what is cleared is null, JSON included, and may be set again', async () => {
      const { documentId } = await api.create('article', { title: 't', extra: { a: 1 }, content: [], seo: { metaTitle: 'm' }, reads: '1', startsAt: '2026-01-01T00:00:00.000Z' });
      const cleared = await api.update('article', documentId, { extra: null, content: null, seo: null, reads: null, startsAt: null }, { populate: 'seo' });
      expect(cleared).toMatchObject({ extra: null, content: null, seo: null, reads: null, startsAt: null });
      expect(await api.update('article', documentId, { extra: 0, content: [], reads: 0 })).toMatchObject({ extra: 0, content: [], reads: '0' });
      for (const extra of [false, '', 'text', [], [null], { deep: { er: [] } }]) expect((await api.update('article', documentId, { extra }))?.['extra']).toEqual(extra);
    });

    it('passwords and private attributes are stored and never answered', async () => {
      const created = await api.create('article', { title: 'secret', secret: 'hunter22', internalNote: 'hidden' });
      expect(JSON.stringify(created)).not.toMatch(/hunter22|hidden|\$2[aby]/);
      const rows = (await dumpContent(world))['Article'] ?? [];
      const stored = rows.filter((row) => row.includes(created.documentId)).map((row) => JSON.parse(row) as Record<string, unknown>);
      expect(stored.map((row) => [row['internalNote'], String(row['secret']).slice(0, 3)])).toEqual([['hidden', '$2b'], ['hidden', '$2b']]);
      await api.update('article', created.documentId, { title: 'kept' });
      const kept = ((await dumpContent(world))['Article'] ?? []).filter((row) => row.includes(created.documentId)).map((row) => (JSON.parse(row) as Record<string, unknown>)['secret']);
      expect(new Set(kept)).toEqual(new Set([stored[0]?.['secret']]));
    });

    it('text of every sort comes back as it was sent', async () => {
      for (const body of ['', ' ', "' or 1=1 --", '%_\\', '\u0001\u007f\ufeff', 'é e\u0301 😀 𐍈', '\r\n\t', '{{x}} $1 ? :a', 'x'.repeat(200_000)]) {
        expect((await api.create('article', { title: 'text', body, extra: { body } }))).toMatchObject({ body, extra: { body } });
      }
    });

    it('odd ids name nothing', async () => {
      for (const documentId of ['', ' ', "' or 1=1 --", '\0', '\ud800', 'x'.repeat(10_000), '__proto__', '%', '1']) {
        expect(await api.one('tag', documentId)).toBeNull();
        expect(await api.update('tag', documentId, { weight: 1 })).toBeNull();
        expect(await api.remove('tag', documentId)).toBe(false);
      }
    });

    it('whatever is sent, the answer is a record or the catalogue’s', async () => {
      const odd: readonly unknown[] = [
        null, true, '', 'x', '\0', '\ud800', 0, -1, 1.5, 1e308, Number.MAX_SAFE_INTEGER, 2 ** 31, -(2 ** 63), '9'.repeat(40), '99999-12-31', '0000-00-00', '2026-02-28T23:59:60Z', [], {}, [[]], [null], [0], ['x'], [{}], { id: 1 }, [{ id: 1 }],
        { set: ['x'] }, { connect: [{ id: 2 ** 40 }] }, { documentId: '\0' }, [{ __component: 'sections.text', body: '\0' }], { metaTitle: '\ud800' }, JSON.parse('{"__proto__":1}') as unknown, JSON.parse(`${'['.repeat(300)}${']'.repeat(300)}`) as unknown, 'x'.repeat(3000),
      ];
      const attributes = Object.keys(world.model.typesByUid['api::article.article']?.attributes ?? {});
      const { documentId } = await api.create('article', { title: 'target' });
      const surprises: unknown[] = [];
      for (const name of attributes) {
        for (const value of odd) {
          await api.update('article', documentId, { [name]: value }, value === null ? { status: 'draft' } : {}).catch((error: unknown) => {
            if (!isGalleyError(error) || error.kind !== 'validation') surprises.push([name, value, error]);
          });
        }
      }
      expect(surprises).toEqual([]);
      expect(await api.one('article', documentId, { populate: '*' })).not.toBeNull();
    });

    it('a missing document is null or false, not an error, whatever its data; what is no document at all is refused first', async () => {
      expect(await api.update('tag', 'missing', { weight: 'heavy' })).toBeNull();
      expect(await faultsOf(api.update('tag', 'missing', { nope: 1 }))).toBe('request/invalid-key');
      expect(await faultsOf(api.update('tag', 'missing', []))).toBe('request/no-data');
    });

    it('a single type is created by its first write, updated by the next, deleted and made anew', async () => {
      const first = await api.create('setting', { siteName: 'a', itemsPerPage: 5 });
      expect(await api.create('setting', { siteName: 'b' })).toMatchObject({ documentId: first.documentId, id: first.id, siteName: 'b', itemsPerPage: 5 });
      expect(await faultsOf(api.create('setting', { siteName: null }))).toEqual(['siteName']);
      expect(await api.remove('setting', first.documentId)).toBe(true);
      expect(await api.documents.findOne({ type: 'api::setting.setting', filter: null, sort: [], selection: { fields: [], populate: [] }, page: null, locale: 'en', status: 'published', hasPublishedVersion: null }, null)).toBeNull();
      expect(await faultsOf(api.create('setting', { maintenance: true }))).toEqual(['siteName']);
      expect(await api.documents.singleDocumentId('api::setting.setting')).toBeNull();
      expect(await api.create('setting', { siteName: 'c' })).toMatchObject({ siteName: 'c', itemsPerPage: 10 });
    });

    it('a page is counted where that is asked, and not otherwise', async () => {
      const query = { type: 'api::tag.tag', filter: null, sort: [], selection: { fields: [], populate: [] }, locale: 'en', status: 'published', hasPublishedVersion: null } as const;
      const page = { style: 'page', offset: 0, limit: 3, withCount: true } as const;
      const counted = await api.documents.findMany({ ...query, page });
      expect([counted.records.length, counted.total]).toEqual([3, 20]);
      expect(await api.documents.findMany({ ...query, page: { ...page, withCount: false } })).toMatchObject({ total: null });
      expect(await api.documents.count({ ...query, page })).toBe(20);
    });
  });

  it.each(['magazine', 'launchpad'] as const)('every type of the %s takes a value of every sort, published and again', async (name) => {
    const world = await createWorld({ model: name, database });
    const api = createApi(world);
    const file = await api.create('file', { name: 'f', hash: 'h', mime: 'image/png', size: 1, url: '/f', provider: 'local' });
    expect(file.id).toBe(FILE_ID);
    for (const type of world.model.types) {
      const data = sampleOf(world.model, type.attributes);
      const created = await api.create(type.singularName, data);
      const again = await api.update(type.singularName, created.documentId, data);
      expect(again?.id, type.uid).toBe(created.id);
      expect(await api.list(type.singularName, { populate: '*' }), type.uid).toHaveLength(type.singularName === 'file' ? 2 : 1);
      expect(await api.remove(type.singularName, created.documentId, '*'), type.uid).toBe(true);
    }
    await api.remove('file', file.documentId);
    const left = Object.values(await dumpContent(world)).flat();
    expect(left).toEqual([]);
    await world.close();
  });

  it('names that are words of SQL, hyphenated or long work like others', async () => {
    const world = await createWorld({ model: ODD_NAMES, database });
    const api = createApi(world);
    const [t1, t2] = [await api.create('user-table', { name: 'one' }), await api.create('user-table', { name: 'two' })];
    const data = {
      select: 'a', from: 'f', 'group-by': { x: 1 }, where: true, model: 1, AND: 1.5, anAttributeWhoseNameIsFarLongerThanFortyCharactersAndGoesOnAndOnForEver: '2026-02-28T00:00:00.000Z',
      table: t1.documentId, join: [t2.documentId, t1.documentId], default: [{ offset: '12', 'double-dash': '--', in: [t2.documentId] }],
    };
    const populate = { table: true, join: true, default: { populate: 'in' } };
    const expected = { ...data, table: { name: 'one' }, join: [{ name: 'two' }, { name: 'one' }], default: [{ offset: '12', 'double-dash': '--', in: [{ name: 'two' }] }] };
    const created = await api.create('order-of-the-day', data, { populate });
    expect(created).toMatchObject(expected);
    expect(await api.update('order-of-the-day', created.documentId, {}, { populate })).toMatchObject(expected);
    expect(await faultsOf(api.create('order-of-the-day', { select: 'a' }))).toEqual(['select']);
    await api.update('order-of-the-day', created.documentId, { select: 'fr' }, { locale: 'fr' });
    await api.update('user-table', t1.documentId, { order: [], union: { connect: [{ documentId: created.documentId, position: { start: true } }] } });
    expect(await api.one('order-of-the-day', created.documentId, { populate })).toMatchObject({ table: null, join: [{ name: 'two' }, { name: 'one' }] });
    await api.act('unpublish', 'order-of-the-day', created.documentId);
    expect(await api.remove('order-of-the-day', created.documentId)).toBe(true);
    await world.close();
  });
});
