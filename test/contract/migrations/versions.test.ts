import { readFile } from 'node:fs/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { dialectNamed } from '../../../src/dialects/dialect-named.js';
import { openDatabase } from '../../../src/database/open-database.js';
import { createClient } from '../../../src/migrations/create-client.js';
import { printPrismaSchema } from '../../../src/prisma-schema/print-prisma-schema.js';
import { databases } from '../../support/databases.js';
import type { TestDatabaseKind } from '../../support/databases.js';
import { modelFrom } from '../../support/models.js';
import { createApi, steppingClock } from '../documents/service.js';
import type { Answer, Api } from '../documents/service.js';
import { createBench, drift, failure } from './support.js';
import type { Bench } from './support.js';

const DRAFT = { status: 'draft' };
const FR = { locale: 'fr' };
const base = await readFile(new URL('../../../prisma/base.prisma', import.meta.url), 'utf8');

interface Switches {
  readonly draftAndPublish?: boolean;
  readonly localized?: boolean;
  /** Attributes of the story that every locale has for itself. */
  readonly own?: readonly string[];
}

const own = (names: readonly string[], name: string, attribute: object): Readonly<Record<string, unknown>> =>
  ({ ...attribute, ...(names.includes(name) ? { pluginOptions: { i18n: { localized: true } } } : {}) });

/** A story linked in every way with types that have neither drafts nor locales, with one that has both, and with itself. */
const modelOf = ({ draftAndPublish = false, localized = false, own: names = ['title'] }: Switches) => modelFrom({
  types: {
    story: {
      draftAndPublish, localized,
      attributes: {
        title: own(names, 'title', { type: 'string' }),
        rank: own(names, 'rank', { type: 'integer' }),
        extra: own(names, 'extra', { type: 'json' }),
        tags: { type: 'relation', relation: 'manyToMany', target: 'api::tag.tag', inversedBy: 'stories' },
        writer: { type: 'relation', relation: 'manyToOne', target: 'api::tag.tag', inversedBy: 'written' },
        next: { type: 'relation', relation: 'oneToOne', target: 'api::story.story' },
        related: { type: 'relation', relation: 'manyToMany', target: 'api::story.story' },
        event: { type: 'relation', relation: 'manyToOne', target: 'api::event.event', inversedBy: 'stories' },
        events: { type: 'relation', relation: 'manyToMany', target: 'api::event.event' },
        about: { type: 'relation', relation: 'morphToMany' },
      },
    },
    tag: {
      attributes: {
        name: { type: 'string' },
        stories: { type: 'relation', relation: 'manyToMany', target: 'api::story.story', mappedBy: 'tags' },
        written: { type: 'relation', relation: 'oneToMany', target: 'api::story.story', mappedBy: 'writer' },
        favourite: { type: 'relation', relation: 'oneToOne', target: 'api::story.story' },
        picks: { type: 'relation', relation: 'manyToMany', target: 'api::story.story' },
      },
    },
    event: {
      draftAndPublish: true, localized: true,
      attributes: {
        name: { type: 'string', pluginOptions: { i18n: { localized: true } } },
        stories: { type: 'relation', relation: 'oneToMany', target: 'api::story.story', mappedBy: 'event' },
        top: { type: 'relation', relation: 'oneToOne', target: 'api::story.story' },
        list: { type: 'relation', relation: 'manyToMany', target: 'api::story.story' },
      },
    },
  },
});

const ALL = Object.fromEntries(['tags', 'writer', 'next', 'related', 'event', 'events'].map((name) => [name, { fields: ['documentId'] }]));
const STORY = { ...ALL, about: { on: { 'api::tag.tag': { fields: ['documentId'] }, 'api::story.story': { fields: ['documentId'] } } } };

const idsIn = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(idsIn);
  return typeof value === 'object' && value !== null ? (value as Answer).documentId : null;
};

describe.each(databases)('drafts and locales switched on $name', (kind: TestDatabaseKind) => {
  const dialect = dialectNamed(kind.name);
  const schemaOf = (switches: Switches): string => printPrismaSchema({ model: modelOf(switches), dialect, base });

  const open = async ({ url }: Bench, switches: Switches): Promise<Api> => {
    const schemaText = schemaOf(switches);
    const database = await openDatabase({ dialect, url, loadClient: () => createClient({ schemaText, provider: dialect.prismaProvider }) });
    onTestFinished(() => database.close());
    return createApi({ model: modelOf(switches), database }, { clock: steppingClock() });
  };

  /** What one story shows under each of its relations. */
  const links = async (api: Api, documentId: string, params: object = {}): Promise<Readonly<Record<string, unknown>>> => {
    const story = await api.one('story', documentId, { ...params, populate: STORY });
    return Object.fromEntries(Object.keys(STORY).map((name) => [name, idsIn(story?.[name] ?? null)]));
  };

  /** What another document shows under those that point at stories. */
  const backLinks = async (api: Api, type: 'tag' | 'event', documentId: string, params: object = {}): Promise<readonly unknown[]> => {
    const names = type === 'tag' ? ['stories', 'written', 'favourite', 'picks'] : ['stories', 'top', 'list'];
    const record = await api.one(type, documentId, { ...params, populate: Object.fromEntries(names.map((name) => [name, { fields: ['documentId'] }])) });
    return names.map((name) => idsIn(record?.[name] ?? null));
  };

  interface Linked {
    readonly tags: readonly string[];
    readonly event: string;
    readonly stories: readonly string[];
  }

  /** Two stories linked with everything, in an order that is not that of their making. */
  const fill = async (api: Api): Promise<Linked> => {
    const tags: string[] = [];
    for (const name of ['a', 'b']) tags.push((await api.create('tag', { name })).documentId);
    const [a = '', b = ''] = tags;
    const { documentId: event } = await api.create('event', { name: 'e' });
    const { documentId: first } = await api.create('story', { title: 'first', rank: 1 });
    const { documentId: second } = await api.create('story', { title: 'second', rank: 2 });
    await api.update('story', first, { tags: [b, a], writer: a, next: second, related: [second, first], event, events: [event], about: [{ __type: 'api::story.story', documentId: second }, { __type: 'api::tag.tag', documentId: b }] });
    await api.update('story', second, { tags: [a], writer: a, event });
    await api.update('tag', a, { stories: [second, first], written: [second, first], favourite: first, picks: [second, first] });
    await api.update('event', event, { top: second, list: [second, first] });
    return { tags, event, stories: [first, second] };
  };

  const everything = async (api: Api, { tags, event, stories }: Linked, params: object = {}): Promise<unknown> => ({
    stories: await Promise.all(stories.map((documentId) => links(api, documentId, params))),
    tags: await Promise.all(tags.map((documentId) => backLinks(api, 'tag', documentId, params))),
    event: await backLinks(api, 'event', event, params),
  });

  const PLAIN = {};
  const DRAFTED = { draftAndPublish: true };
  const LOCALIZED = { localized: true };

  it('drafts on: everything published has its draft, linked alike from both ends', async () => {
    const bench = await createBench(kind);
    await bench.migrate(schemaOf(PLAIN));
    const linked = await fill(await open(bench, PLAIN));
    const before = await everything(await open(bench, PLAIN), linked);
    const { losses } = await bench.migrate(schemaOf(DRAFTED));
    expect(losses).toEqual([]);
    expect(await drift(kind, bench, schemaOf(DRAFTED))).toBe('');
    const api = await open(bench, DRAFTED);
    expect(await everything(api, linked)).toEqual(before);
    expect(await everything(api, linked, DRAFT)).toEqual(before);
    expect(await api.list('story', { ...DRAFT, sort: 'title' })).toMatchObject([{ title: 'first', publishedAt: null, rank: 1 }, { title: 'second', publishedAt: null }]);
    expect(await api.list('story', { publicationFilter: 'unmodified' })).toHaveLength(2);
    await api.update('story', linked.stories[0] ?? '', { tags: [], title: 'edited' }, DRAFT);
    expect(await everything(api, linked)).toEqual(before);
  });

  it('drafts on elsewhere: the migration that was made here does the same there', async () => {
    const bench = await createBench(kind);
    await bench.migrate(schemaOf(PLAIN));
    const there = await bench.elsewhere();
    await there.apply();
    const linked = await fill(await open(there, PLAIN));
    const before = await everything(await open(there, PLAIN), linked);
    await bench.migrate(schemaOf(DRAFTED));
    await there.apply();
    const api = await open(there, DRAFTED);
    expect([await everything(api, linked), await everything(api, linked, DRAFT)]).toEqual([before, before]);
  });

  it('drafts off: what is published stays, drafts that were never published stay too, and both ask', async () => {
    const bench = await createBench(kind);
    await bench.migrate(schemaOf(DRAFTED));
    const drafted = await open(bench, DRAFTED);
    const linked = await fill(drafted);
    const before = await everything(drafted, linked);
    const [a = ''] = linked.tags;
    const { documentId: hidden } = await drafted.create('story', { title: 'hidden', tags: [a], next: linked.stories[0] }, DRAFT);
    expect((await bench.preview(schemaOf(PLAIN))).losses).toEqual([{ kind: 'unpublished', table: 'stories', rows: 1 }]);
    await drafted.update('story', linked.stories[0] ?? '', { title: 'pending', tags: [] }, DRAFT);
    expect((await failure(bench.migrate(schemaOf(PLAIN)))).details['losses']).toEqual([{ kind: 'draft', table: 'stories', rows: 1 }, { kind: 'unpublished', table: 'stories', rows: 1 }]);
    await bench.migrate(schemaOf(PLAIN), { acceptsDataLoss: true });
    expect(await drift(kind, bench, schemaOf(PLAIN))).toBe('');
    const api = await open(bench, PLAIN);
    expect((await api.list('story', { sort: 'title' })).map(({ title, publishedAt }) => [title, publishedAt !== null])).toEqual([['first', true], ['hidden', true], ['second', true]]);
    expect(await links(api, hidden)).toMatchObject({ tags: [a], next: linked.stories[0] });
    expect(await links(api, linked.stories[0] ?? '')).toEqual((before as { readonly stories: readonly unknown[] }).stories[0]);
    expect(await backLinks(api, 'event', linked.event)).toEqual((before as { readonly event: unknown }).event);
    expect(await backLinks(api, 'tag', a)).toEqual([[linked.stories[1], linked.stories[0], hidden], [linked.stories[1], linked.stories[0]], linked.stories[0], [linked.stories[1], linked.stories[0]]]);
  });

  it('there and back with nothing waiting loses nothing', async () => {
    const bench = await createBench(kind);
    await bench.migrate(schemaOf(PLAIN));
    const linked = await fill(await open(bench, PLAIN));
    const before = await everything(await open(bench, PLAIN), linked);
    for (const switches of [DRAFTED, { ...DRAFTED, ...LOCALIZED }, LOCALIZED, PLAIN]) {
      expect((await bench.migrate(schemaOf(switches))).losses).toEqual([]);
      expect(await everything(await open(bench, switches), linked)).toEqual(before);
    }
    expect(await drift(kind, bench, schemaOf(PLAIN))).toBe('');
  });

  it('locales on: everything is in the default locale', async () => {
    const bench = await createBench(kind);
    await bench.migrate(schemaOf(PLAIN));
    const linked = await fill(await open(bench, PLAIN));
    await bench.run(`INSERT INTO "cms_locales" ("document_id", "code", "name", "is_default", "updated_at") VALUES ('l1', 'en', 'English', ${kind.name === 'sqlite' ? '0' : 'false'}, '2026-01-01T00:00:00.000Z'), ('l2', 'fr', 'French', ${kind.name === 'sqlite' ? '1' : 'true'}, '2026-01-01T00:00:00.000Z')`);
    expect((await bench.migrate(schemaOf(LOCALIZED))).losses).toEqual([]);
    const api = await open(bench, LOCALIZED);
    expect(await api.list('story')).toEqual([]);
    expect(await api.list('story', { ...FR, sort: 'title' })).toMatchObject([{ title: 'first', locale: 'fr' }, { title: 'second', locale: 'fr' }]);
    expect(await links(api, linked.stories[0] ?? '', FR)).toMatchObject({ tags: [linked.tags[1], linked.tags[0]], next: linked.stories[1], related: [linked.stories[1], linked.stories[0]] });
    expect(await backLinks(api, 'tag', linked.tags[0] ?? '')).toEqual([[linked.stories[1], linked.stories[0]], [linked.stories[1], linked.stories[0]], linked.stories[0], [linked.stories[1], linked.stories[0]]]);
  });

  it('locales off: the default locale stays, or the oldest where there is none, and the others ask', async () => {
    const bench = await createBench(kind);
    await bench.migrate(schemaOf(LOCALIZED));
    const localized = await open(bench, LOCALIZED);
    const linked = await fill(localized);
    const before = await everything(localized, linked);
    const { documentId: french } = await localized.create('story', { title: 'seulement' }, FR);
    expect((await bench.preview(schemaOf(PLAIN))).losses).toEqual([]);
    await localized.update('story', linked.stories[0] ?? '', { title: 'premier', tags: [] }, FR);
    expect((await failure(bench.migrate(schemaOf(PLAIN)))).details['losses']).toEqual([{ kind: 'locale', table: 'stories', rows: 1 }]);
    await bench.migrate(schemaOf(PLAIN), { acceptsDataLoss: true });
    const api = await open(bench, PLAIN);
    expect(await everything(api, linked)).toEqual(before);
    expect((await api.list('story', { sort: 'title' })).map(({ title }) => title)).toEqual(['first', 'second', 'seulement']);
    expect(await api.update('story', french, { rank: 7 })).toMatchObject({ rank: 7 });
  });

  it('an attribute that becomes the same in all locales takes the default locale\'s value, and asks where another goes', async () => {
    const bench = await createBench(kind);
    const apart = { ...DRAFTED, ...LOCALIZED, own: ['title', 'rank', 'extra'] };
    const together = { ...DRAFTED, ...LOCALIZED };
    await bench.migrate(schemaOf(apart));
    const api = await open(bench, apart);
    const { documentId } = await api.create('story', { title: 'en', rank: 1, extra: { a: [1] } });
    await api.update('story', documentId, { title: 'fr', rank: 1, extra: { a: [1] } }, FR);
    expect((await bench.preview(schemaOf(together))).losses).toEqual([]);
    await api.update('story', documentId, { rank: 2, extra: null }, FR);
    expect((await failure(bench.migrate(schemaOf(together)))).details['losses']).toEqual([{ kind: 'shared', table: 'stories', column: 'rank', rows: 2 }, { kind: 'shared', table: 'stories', column: 'extra', rows: 2 }]);
    await bench.migrate(schemaOf(together), { acceptsDataLoss: true });
    const shared = await open(bench, together);
    for (const status of ['draft', 'published']) expect(await shared.one('story', documentId, { ...FR, status })).toMatchObject({ title: 'fr', rank: 1, extra: { a: [1] } });
    expect((await bench.migrate(schemaOf(apart))).losses).toEqual([]);
    const again = await open(bench, apart);
    await again.update('story', documentId, { rank: 5 }, FR);
    expect((await failure(bench.migrate(schemaOf(together)))).details['losses']).toEqual([{ kind: 'shared', table: 'stories', column: 'rank', rows: 2 }]);
  });
});
