import { announceChanges, createTagDemand } from '../../../../src/documents/changes/announce-changes.js';
import { createDocumentHooks } from '../../../../src/documents/hooks.js';
import { isGalleyError } from '../../../../src/errors/galley-error.js';
import { FILE_UID } from '../../../../src/model/content-types/builtin-types.js';
import { targetsOf } from '../../../../src/model/lookup.js';
import type { Attribute, ContentSchema, ContentType, Uid } from '../../../../src/model/model.js';
import { createTrashTable } from '../../../../src/documents/trash/trash-table.js';
import type { createRandom } from '../../../support/random.js';
import type { TestEnvironment } from '../../../support/test-environment.js';
import { createApi, steppingClock } from '../service.js';
import type { Api } from '../service.js';

export type Random = ReturnType<typeof createRandom>;

export const LOCALES = ['en', 'fr'] as const;

export const COLORS = ['red', 'green', 'blue', 'white'];

const MAX_DOCUMENTS = 8;
const FILE = { hash: 'h', mime: 'image/png', size: 1, provider: 'local' };

/** A random number from 0 to `below` - 1. */
export const numberBelow = (random: Random, below: number): number => Math.floor(random.next() * below);

/** Documents of a model, and random writes of them. Rejected writes change nothing. */
export class RandomSite {
  readonly api: Api;
  readonly types: readonly ContentType[];
  /** The tags that the last write announced. */
  readonly announced = new Set<string>();
  readonly #random: Random;
  readonly #ids = new Map<Uid, string[]>();
  readonly #environment: TestEnvironment;

  constructor(environment: TestEnvironment, random: Random) {
    const { model, database, dialect } = environment;
    const hooks = createDocumentHooks({
      onError: (error) => {
        throw error;
      },
    });
    announceChanges({
      database,
      model,
      hooks,
      tags: {
        locales: () => LOCALES,
        listeners: [
          {
            isListening: async () => true,
            announce: async (_tx, tags) => {
              for (const tag of tags) this.announced.add(tag);
            },
          },
        ],
        demand: createTagDemand(),
      },
    });
    this.#environment = environment;
    this.#random = random;
    this.types = model.types.filter(({ origin }) => origin === 'project');
    this.api = createApi(environment, {
      hooks,
      clock: steppingClock(),
      trash: createTrashTable(dialect.expressions, model),
    });
  }

  /** Returns the ids of documents that exist or existed. */
  idsOf(uid: Uid): readonly string[] {
    return this.#ids.get(uid) ?? [];
  }

  /** Runs one write. Returns its description. */
  async write(): Promise<string> {
    this.announced.clear();
    const random = this.#random;
    const type = random.pick(this.types);
    const { singularName, uid, draftAndPublish } = type;
    const locale = type.localized ? { locale: random.pick(LOCALES) } : {};
    const documentId = random.pick([...this.idsOf(uid), '']);
    const status = draftAndPublish && random.next() < 0.2 ? 'draft' : 'published';
    const kind = numberBelow(random, 60);
    const describe = (action: string, data: unknown = ''): string =>
      `${action} ${singularName} ${documentId} ${JSON.stringify(locale)} ${status} ${JSON.stringify(data)}`;
    const run = async (action: string, work: () => Promise<unknown>, data?: unknown): Promise<string> => {
      await work().catch((error: unknown) => {
        if (!isGalleyError(error)) throw error;
      });
      return describe(action, data);
    };
    if (kind === 0) return this.#writeFile();
    if (documentId === '' || kind === 1) {
      const data = this.#dataOf(type);
      return run('create', () => this.#create(singularName, uid, data, { ...locale, status }), data);
    }
    if (kind === 2 && draftAndPublish)
      return run('publish', () => this.api.act('publish', singularName, documentId, locale));
    if (kind === 3 && draftAndPublish)
      return run('unpublish', () => this.api.act('unpublish', singularName, documentId, locale));
    if (kind === 4 && draftAndPublish)
      return run('discard', () => this.api.act('discardDraft', singularName, documentId, locale));
    if (kind === 5) return run('remove', () => this.api.remove(singularName, documentId, locale.locale));
    if (kind === 6) return run('remove all', () => this.api.remove(singularName, documentId, '*'));
    if (kind === 7) return run('restore', () => this.#restore());
    if (kind === 8) {
      const items = [...this.idsOf(uid)].slice(0, 4).map((id) => ({
        action: 'update' as const,
        params: { ...this.#paramsOf(type, locale, status), documentId: id, data: this.#dataOf(type) },
      }));
      return run('bulk', () => this.api.documents.bulk({ items, atomic: false }), items);
    }
    const data = this.#dataOf(type);
    return run('update', () => this.api.update(singularName, documentId, data, { ...locale, status }), data);
  }

  #paramsOf(type: ContentType, locale: { readonly locale?: string }, status: 'draft' | 'published') {
    return { type: type.uid, selection: { fields: [], populate: [] }, locale: locale.locale, status };
  }

  async #create(name: string, uid: Uid, data: unknown, params: object): Promise<void> {
    if (this.idsOf(uid).length >= MAX_DOCUMENTS) return;
    const { documentId } = await this.api.create(name, data, params);
    this.#ids.set(uid, [...this.idsOf(uid), documentId]);
  }

  async #writeFile(): Promise<string> {
    const ids = this.idsOf(FILE_UID);
    const documentId = this.#random.pick([...ids, '']);
    if (documentId === '' || ids.length < 3) {
      const name = `${ids.length}.png`;
      await this.#create('file', FILE_UID, { ...FILE, name, url: `/uploads/${name}` }, {});
      return 'create file';
    }
    if (this.#random.next() < 0.3) {
      await this.api.remove('file', documentId);
      return `remove file ${documentId}`;
    }
    await this.api.update('file', documentId, { caption: `${numberBelow(this.#random, 100)}` });
    return `update file ${documentId}`;
  }

  async #restore(): Promise<void> {
    const entries = await this.api.documents.trash.list({ limit: 10 });
    if (entries.length > 0) await this.api.documents.trash.restore(this.#random.pick(entries));
  }

  /** Most edits change texts and numbers, which most pages show. */
  #attributesOf(schema: ContentSchema): readonly Attribute[] {
    const all = Object.values(schema.attributes);
    const scalars = all.filter(({ family }) => family === 'scalar');
    return [0, ...this.#random.some([1])].map(() =>
      this.#random.pick(this.#random.next() < 0.85 ? scalars : all),
    );
  }

  #dataOf(schema: ContentSchema, depth = 0): Readonly<Record<string, unknown>> {
    const attributes = depth === 0 ? this.#attributesOf(schema) : Object.values(schema.attributes);
    return Object.fromEntries(
      attributes.map((attribute) => [attribute.name, this.#valueOf(attribute, depth)]),
    );
  }

  #valueOf(attribute: Attribute, depth: number): unknown {
    const random = this.#random;
    switch (attribute.family) {
      case 'scalar':
        if (attribute.type === 'integer') return numberBelow(random, 50);
        if (attribute.type === 'boolean') return random.next() < 0.5;
        return attribute.type === 'enumeration' ? random.pick(COLORS) : `text ${numberBelow(random, 50)}`;
      case 'component':
        return attribute.repeatable
          ? random.some([1, 2]).map(() => this.#itemOf(attribute.component, depth))
          : this.#itemOf(attribute.component, depth);
      case 'dynamiczone':
        return random
          .some(attribute.components)
          .map((uid) => ({ __component: uid, ...this.#itemOf(uid, depth) }));
      case 'relation':
      case 'media':
        return this.#linksOf(attribute, depth > 0);
    }
  }

  #itemOf(uid: Uid, depth: number): Readonly<Record<string, unknown>> {
    const component = this.#environment.model.componentsByUid[uid];
    return component === undefined ? {} : this.#dataOf(component, depth + 1);
  }

  #linksOf(attribute: Extract<Attribute, { family: 'relation' | 'media' }>, isNested: boolean): unknown {
    const random = this.#random;
    const targets = targetsOf(attribute).filter((uid) => this.idsOf(uid).length > 0);
    if (targets.length === 0) return attribute.many ? [] : null;
    const link = (): unknown => {
      const type = random.pick(targets);
      const documentId = random.pick(this.idsOf(type));
      return attribute.target === null ? { __type: type, documentId } : documentId;
    };
    if (!attribute.many) return random.next() < 0.2 ? null : link();
    const links = random.some([1, 2, 3]).map(link);
    if (isNested || attribute.target === null || random.next() < 0.4) return links;
    return random.next() < 0.6 ? { connect: links } : { disconnect: links };
  }
}
