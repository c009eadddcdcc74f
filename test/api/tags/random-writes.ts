import { typeOf } from '../../../src/model/lookup.js';
import type { ContentType, Uid } from '../../../src/model/model.js';
import { RandomData } from './random-data.js';
import type { Data, Random } from './random-data.js';
import { RARE_WRITES } from './rare-writes.js';
import type { JsonResponse, TaggedSite } from './tagged-site.js';

const MAX_DOCUMENTS = 8;

/** A document that a write is about. */
interface Target {
  readonly type: ContentType;
  readonly documentId: string;
  /** Undefined: the type is not localized. */
  readonly locale: string | undefined;
  readonly status: 'draft' | 'published';
  /** The path of the document's endpoints. */
  readonly path: string;
}

/** Sends requests, and knows the documents that exist or existed. */
export interface Writer {
  readonly site: TaggedSite;
  readonly random: Random;
  readonly data: RandomData;
  readonly types: readonly ContentType[];
  /** The codes of the locales. */
  readonly locales: Set<string>;
  readonly idsOf: (uid: Uid) => readonly string[];
  readonly addId: (uid: Uid, documentId: string) => void;
  /** Removes the id of a document that no longer exists. */
  readonly removeId: (uid: Uid, documentId: string) => void;
  readonly send: TaggedSite['send'];
  /** Counts a write that no request made. */
  readonly accept: () => void;
  /** Returns a random document. Null: there is none. */
  readonly target: (uid?: Uid) => Target | null;
  /** Sets the next write, such as one that restores permissions. */
  readonly follow: (write: () => Promise<unknown>) => void;
}

/** Runs a write with random parameters. Returns them for messages. */
export type RandomWrite = (writer: Writer) => Promise<unknown>;

const withQuery = (path: string, params: Readonly<Record<string, string | undefined>>): string => {
  const set = Object.entries(params).flatMap(([key, value]) =>
    value === undefined ? [] : [`${key}=${value}`],
  );
  return `${path}?${set.join('&')}`;
};

/** The id of the document in a response. */
const documentIdIn = ({ body }: JsonResponse): string | null => {
  const { data } = Object(body) as { readonly data?: { readonly documentId?: string } };
  return data?.documentId ?? null;
};

const create: RandomWrite = async ({ random, data, types, idsOf, addId, send, locales }) => {
  const type = random.pick(types.filter(({ kind }) => kind === 'collectionType'));
  if (idsOf(type.uid).length >= MAX_DOCUMENTS) return null;
  const values = data.of(type);
  const locale = type.localized ? random.pick([...locales]) : undefined;
  const status = random.next() < 0.2 ? 'draft' : 'published';
  const response = await send('POST', withQuery(`/api/${type.pluralName}`, { locale, status }), {
    data: values,
  });
  const documentId = documentIdIn(response);
  if (documentId !== null) addId(type.uid, documentId);
  return [type.singularName, documentId, locale, values];
};

const onTarget =
  (work: (target: Target, writer: Writer) => Promise<unknown>): RandomWrite =>
  async (writer) => {
    const target = writer.target();
    if (target === null) return null;
    const { type, documentId, locale, status } = target;
    return [type.singularName, documentId, locale, status, await work(target, writer)];
  };

const update = onTarget(async ({ type, path, documentId, locale, status }, { data, removeId, send }) => {
  const values = data.of(type);
  const response = await send('PUT', withQuery(path, { locale, status }), { data: values });
  if (response.status === 404) removeId(type.uid, documentId);
  return values;
});

const remove = (locale?: string) =>
  onTarget(async (target, { send }) => {
    await send(
      'DELETE',
      withQuery(target.path, { locale: target.type.localized ? (locale ?? target.locale) : undefined }),
    );
    return '';
  });

/** Items of a bulk of several types. */
const bulkItem = ({ type, documentId, locale }: Target, action: string, values?: Data) => ({
  type: type.uid,
  action,
  documentId,
  ...(locale === undefined ? {} : { locale }),
  ...(values === undefined ? {} : { data: values, status: 'published' }),
});

const act = (action: 'publish' | 'unpublish' | 'discardDraft') =>
  onTarget(async (target, { send }) => {
    if (target.type.draftAndPublish)
      await send('POST', '/api/cms/bulk', { data: [bulkItem(target, action)] });
    return '';
  });

const bulk = onTarget(async ({ type, locale, status }, { data, idsOf, send }) => {
  if (type.kind === 'singleType') return '';
  const items = idsOf(type.uid)
    .slice(0, 4)
    .map((documentId) => ({ action: 'update', documentId, data: data.of(type) }));
  await send('POST', withQuery(`/api/${type.pluralName}/bulk`, { locale, status, atomic: 'false' }), {
    data: items,
  });
  return items;
});

const bulkOfTypes: RandomWrite = async ({ data, random, send, target }) => {
  const items = [1, 2, 3].flatMap(() => {
    const found = target();
    if (found === null) return [];
    return [
      random.next() < 0.2
        ? bulkItem(found, random.pick(['publish', 'unpublish', 'delete']))
        : bulkItem(found, 'update', data.of(found.type)),
    ];
  });
  await send('POST', '/api/cms/bulk?atomic=false', { data: items });
  return items;
};

/** The common writes with their weights. */
const COMMON_WRITES: Readonly<Record<string, readonly [weight: number, write: RandomWrite]>> = {
  update: [1500, update],
  create: [30, create],
  publish: [14, act('publish')],
  unpublish: [14, act('unpublish')],
  discardDraft: [10, act('discardDraft')],
  remove: [14, remove()],
  removeAll: [12, remove('*')],
  bulk: [14, bulk],
  bulkOfTypes: [10, bulkOfTypes],
};

const WRITES = [
  ...Object.entries(COMMON_WRITES).map(([name, [weight, write]]) => ({ name, weight, write })),
  ...Object.entries(RARE_WRITES).map(([name, [weight, write]]) => ({ name, weight, write })),
];
/** The names of all kinds of writes. */
export const WRITE_NAMES = WRITES.map(({ name }) => name);

const TOTAL = WRITES.reduce((sum, { weight }) => sum + weight, 0);

/** The writes that fill a site. */
const FIRST_WRITES = [
  ['create', 30],
  ['upload', 3],
  ['createUser', 3],
] as const;

/** Random writes of a site. Rejected writes change nothing. */
export class RandomWrites {
  /** The number of accepted requests by kind of write. */
  readonly accepted = new Map<string, number>(WRITES.map(({ name }) => [name, 0]));
  readonly #ids = new Map<Uid, string[]>();
  readonly #following: (() => Promise<unknown>)[] = [];
  readonly #writer: Writer;
  #name = '';

  constructor(site: TaggedSite, random: Random) {
    const { model } = site.project;
    const types = model.types.filter(({ origin }) => origin === 'project');
    const locales = new Set(['en', 'fr']);
    this.#writer = {
      site,
      random,
      types,
      locales,
      data: new RandomData(model, random, this.idsOf),
      idsOf: this.idsOf,
      addId: (uid, documentId) => void this.#ids.set(uid, [...new Set([...this.idsOf(uid), documentId])]),
      removeId: (uid, documentId) =>
        void this.#ids.set(
          uid,
          this.idsOf(uid).filter((id) => id !== documentId),
        ),
      send: async (...request) => {
        const response = await site.send(...request);
        if (response.status < 300 && request[0] !== 'GET') this.#accept();
        return response;
      },
      target: (uid) => {
        const type = uid === undefined ? random.pick(types) : typeOf(model, uid);
        const ids = this.idsOf(type.uid);
        const isSingle = type.kind === 'singleType';
        if (ids.length === 0 && !isSingle) return null;
        const documentId = isSingle ? '' : random.pick(ids);
        return {
          type,
          documentId,
          locale: type.localized ? random.pick([...locales]) : undefined,
          status: type.draftAndPublish && random.next() < 0.2 ? 'draft' : 'published',
          path: isSingle ? `/api/${type.singularName}` : `/api/${type.pluralName}/${documentId}`,
        };
      },
      accept: this.#accept,
      follow: (write) => void this.#following.push(write),
    };
  }

  /** Returns the ids of documents that exist or existed. */
  readonly idsOf = (uid: Uid): readonly string[] => this.#ids.get(uid) ?? [];

  get types(): readonly ContentType[] {
    return this.#writer.types;
  }

  readonly #accept = (): void => {
    this.accepted.set(this.#name, (this.accepted.get(this.#name) ?? 0) + 1);
  };

  #pick(): (typeof WRITES)[number] {
    let number = this.#writer.random.next() * TOTAL;
    const found = WRITES.find(({ weight }) => (number -= weight) < 0);
    if (found === undefined) throw new Error('No write was chosen.');
    return found;
  }

  /** Fills an empty site. */
  async fill(): Promise<void> {
    for (const [name, times] of FIRST_WRITES)
      for (let index = 0; index < times; index++) await this.run(name);
  }

  /** Runs a kind of write. Returns its description. */
  async run(name: string): Promise<string> {
    const found = WRITES.find((each) => each.name === name);
    this.#name = name;
    return `${name} ${JSON.stringify(await found?.write(this.#writer))}`;
  }

  /** Runs one random write, or the one that follows the last. Returns its description. */
  async write(): Promise<string> {
    const following = this.#following.shift();
    if (following === undefined) return this.run(this.#pick().name);
    return `following ${this.#name} ${JSON.stringify(await following())}`;
  }
}
