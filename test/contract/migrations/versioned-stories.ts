import { readFile } from 'node:fs/promises';
import { onTestFinished } from 'vitest';
import { getDialect } from '../../../src/database/get-dialect.js';
import { openDatabase } from '../../../src/database/open-database.js';
import { createClient } from '../../../src/database/prisma/in-memory-client.js';
import { printPrismaSchema } from '../../../src/generate/prisma-schema/print-prisma-schema.js';
import type { TestDatabaseKind } from '../../support/databases.js';
import { modelFrom } from '../../support/models.js';
import type { ProjectLiteral } from '../../support/models.js';
import { createApi, steppingClock } from '../documents/service.js';
import type { ReturnedRecord, Api } from '../documents/service.js';

const base = await readFile(new URL('../../../prisma/base.prisma', import.meta.url), 'utf8');

export interface VersioningOptions {
  readonly draftAndPublish?: boolean;
  readonly localized?: boolean;
  /** The localized attributes of the story. */
  readonly localizedAttributes?: readonly string[];
  readonly isTitleUnique?: boolean;
}

const localizedWhenListed = (
  names: readonly string[],
  name: string,
  attribute: object,
): Readonly<Record<string, unknown>> => ({
  ...attribute,
  ...(names.includes(name) ? { pluginOptions: { i18n: { localized: true } } } : {}),
});

/** A story with all relations to a type without drafts and locales, to one with both, and to itself. */
export const storiesOf = ({
  draftAndPublish = false,
  localized = false,
  localizedAttributes: names = ['title'],
  isTitleUnique = false,
}: VersioningOptions): ProjectLiteral => ({
  types: {
    story: {
      draftAndPublish,
      localized,
      attributes: {
        title: localizedWhenListed(names, 'title', {
          type: 'string',
          ...(isTitleUnique ? { unique: true } : {}),
        }),
        rank: localizedWhenListed(names, 'rank', { type: 'integer' }),
        extra: localizedWhenListed(names, 'extra', { type: 'json' }),
        tags: { type: 'relation', relation: 'manyToMany', target: 'api::tag.tag', inversedBy: 'stories' },
        writer: { type: 'relation', relation: 'manyToOne', target: 'api::tag.tag', inversedBy: 'written' },
        next: { type: 'relation', relation: 'oneToOne', target: 'api::story.story' },
        related: { type: 'relation', relation: 'manyToMany', target: 'api::story.story' },
        event: {
          type: 'relation',
          relation: 'manyToOne',
          target: 'api::event.event',
          inversedBy: 'stories',
        },
        events: { type: 'relation', relation: 'manyToMany', target: 'api::event.event' },
        about: { type: 'relation', relation: 'morphToMany' },
      },
    },
    tag: {
      attributes: {
        name: { type: 'string' },
        stories: { type: 'relation', relation: 'manyToMany', target: 'api::story.story', mappedBy: 'tags' },
        written: {
          type: 'relation',
          relation: 'oneToMany',
          target: 'api::story.story',
          mappedBy: 'writer',
        },
        favourite: { type: 'relation', relation: 'oneToOne', target: 'api::story.story' },
        picks: { type: 'relation', relation: 'manyToMany', target: 'api::story.story' },
      },
    },
    event: {
      draftAndPublish: true,
      localized: true,
      attributes: {
        name: { type: 'string', pluginOptions: { i18n: { localized: true } } },
        stories: { type: 'relation', relation: 'oneToMany', target: 'api::story.story', mappedBy: 'event' },
        top: { type: 'relation', relation: 'oneToOne', target: 'api::story.story' },
        list: { type: 'relation', relation: 'manyToMany', target: 'api::story.story' },
      },
    },
  },
});

const ALL = Object.fromEntries(
  ['tags', 'writer', 'next', 'related', 'event', 'events'].map((name) => [name, { fields: ['documentId'] }]),
);
const STORY = {
  ...ALL,
  about: {
    on: { 'api::tag.tag': { fields: ['documentId'] }, 'api::story.story': { fields: ['documentId'] } },
  },
};

const idsIn = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(idsIn);
  return typeof value === 'object' && value !== null ? (value as ReturnedRecord).documentId : null;
};

export interface LinkedDocuments {
  readonly tags: readonly string[];
  readonly event: string;
  readonly stories: readonly string[];
}

/** Opens, fills and reads databases of stories, with and without drafts and locales. */
export function createStories(kind: TestDatabaseKind) {
  const dialect = getDialect(kind.name);
  const open = async ({ url }: { readonly url: string }, options: VersioningOptions): Promise<Api> => {
    const model = modelFrom(storiesOf(options));
    const schemaText = printPrismaSchema({ model, support: dialect.schema, base });
    const database = await openDatabase({
      dialect,
      url,
      loadClient: () => createClient({ schemaText, provider: dialect.schema.provider }),
    });
    onTestFinished(() => database.close());
    return createApi({ model, database }, { clock: steppingClock() });
  };

  /** The document ids in each relation of a story. */
  const links = async (
    api: Api,
    documentId: string,
    params: object = {},
  ): Promise<Readonly<Record<string, unknown>>> => {
    const story = await api.one('story', documentId, { ...params, populate: STORY });
    return Object.fromEntries(Object.keys(STORY).map((name) => [name, idsIn(story?.[name] ?? null)]));
  };

  /** The document ids in each relation of a tag or an event to stories. */
  const backLinks = async (
    api: Api,
    type: 'tag' | 'event',
    documentId: string,
    params: object = {},
  ): Promise<readonly unknown[]> => {
    const names = type === 'tag' ? ['stories', 'written', 'favourite', 'picks'] : ['stories', 'top', 'list'];
    const record = await api.one(type, documentId, {
      ...params,
      populate: Object.fromEntries(names.map((name) => [name, { fields: ['documentId'] }])),
    });
    return names.map((name) => idsIn(record?.[name] ?? null));
  };

  /** Creates two stories with all relations, in another order than that of their creation. */
  const createLinkedDocuments = async (api: Api): Promise<LinkedDocuments> => {
    const tags: string[] = [];
    for (const name of ['a', 'b']) tags.push((await api.create('tag', { name })).documentId);
    const [a = '', b = ''] = tags;
    const { documentId: event } = await api.create('event', { name: 'e' });
    const { documentId: first } = await api.create('story', { title: 'first', rank: 1 });
    const { documentId: second } = await api.create('story', { title: 'second', rank: 2 });
    await api.update('story', first, {
      tags: [b, a],
      writer: a,
      next: second,
      related: [second, first],
      event,
      events: [event],
      about: [
        { __type: 'api::story.story', documentId: second },
        { __type: 'api::tag.tag', documentId: b },
      ],
    });
    await api.update('story', second, { tags: [a], writer: a, event });
    await api.update('tag', a, {
      stories: [second, first],
      written: [second, first],
      favourite: first,
      picks: [second, first],
    });
    await api.update('event', event, { top: second, list: [second, first] });
    return { tags, event, stories: [first, second] };
  };

  const readAllLinks = async (
    api: Api,
    { tags, event, stories }: LinkedDocuments,
    params: object = {},
  ): Promise<unknown> => ({
    stories: await Promise.all(stories.map((documentId) => links(api, documentId, params))),
    tags: await Promise.all(tags.map((documentId) => backLinks(api, 'tag', documentId, params))),
    event: await backLinks(api, 'event', event, params),
  });

  return { open, links, backLinks, createLinkedDocuments, readAllLinks };
}
