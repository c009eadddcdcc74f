import assert from 'node:assert/strict';
import type { TypeLiteral } from '../../support/models.js';
import { hasDrafts, inverseAttribute, isLocalized, isMany, KINDS, ownAttribute, ReferenceLinks, RELATIONS } from './reference-links.js';
import type { Kind, ReferenceOperation, ReferenceWrite, Relation, Side, Status } from './reference-links.js';
import { refusal } from './service.js';
import type { Answer, Api } from './service.js';

const OPPOSITE = { oneToOne: 'oneToOne', manyToOne: 'oneToMany', manyToMany: 'manyToMany' } as const;

/** The attributes that a kind of type has for the relations that touch it. */
export const relationsOf = (kind: Kind, relations: readonly Relation[] = RELATIONS): TypeLiteral['attributes'] => Object.fromEntries(relations.flatMap((relation) => [
  ...(relation.owner === kind ? [[ownAttribute(relation), { type: 'relation', relation: relation.shape, target: `api::${relation.target}.${relation.target}`, inversedBy: inverseAttribute(relation) }] as const] : []),
  ...(relation.target === kind ? [[inverseAttribute(relation), { type: 'relation', relation: OPPOSITE[relation.shape], target: `api::${relation.owner}.${relation.owner}`, mappedBy: ownAttribute(relation) }] as const] : []),
]));

export const sorted = (items: Iterable<string>): readonly string[] => [...items].toSorted();

/** The documents that a populated attribute shows. */
export const idsIn = (value: unknown): readonly string[] => {
  const items = Array.isArray(value) ? (value as readonly unknown[]) : [value];
  return items.flatMap((item) => (typeof item === 'object' && item !== null && 'documentId' in item ? [String(item.documentId)] : []));
};

/** One status of one locale of a type; `-` where it has no locales. */
interface Reading {
  readonly kind: Kind;
  readonly status: Status;
  readonly locale: string;
}

/** Does to the document service and to the plain rules the same, and compares what both show. */
export class Comparison {
  readonly reference: ReferenceLinks;

  constructor(private readonly api: Api, private readonly relations: readonly Relation[] = RELATIONS) {
    this.reference = new ReferenceLinks(relations);
  }

  async createAll(): Promise<void> {
    for (const kind of KINDS) {
      for (const publish of [true, true, false]) {
        const { documentId } = await this.api.create(kind, {}, { status: publish ? 'published' : 'draft' });
        this.reference.write({ kind, documentId, locale: isLocalized(kind) ? 'en' : '-', publish: publish || !hasDrafts(kind) });
      }
    }
  }

  async write({ kind, documentId, locale, publish, relation }: ReferenceWrite): Promise<string> {
    const data = relation === undefined ? {} : { [relation.side === 'owner' ? ownAttribute(relation.relation) : inverseAttribute(relation.relation)]: toData(relation.operation) };
    const params = { status: publish ? 'published' : 'draft', ...toParams(locale) };
    const call = this.api.update(kind, documentId, data, params);
    const story = `${kind} ${documentId.slice(0, 4)} ${JSON.stringify(params)} ${JSON.stringify(data)}`;
    if (!this.reference.write({ kind, documentId, locale, publish: publish || !hasDrafts(kind), ...(relation === undefined ? {} : { relation }) })) {
      assert.equal((await refusal(call)).code, 'request/invalid-relation', story);
      return `${story} refused`;
    }
    await call;
    return story;
  }

  async unpublish(kind: Kind, documentId: string, locale: string): Promise<string> {
    await this.api.act('unpublish', kind, documentId, toParams(locale));
    this.reference.unpublish(documentId, locale);
    return `${kind} ${documentId.slice(0, 4)} ${locale} unpublished`;
  }

  async discard(kind: Kind, documentId: string, locale: string): Promise<string> {
    if (!this.reference.exists(documentId, locale, 'published')) {
      await refusal(this.api.act('discardDraft', kind, documentId, toParams(locale)));
      return 'nothing to discard';
    }
    await this.api.act('discardDraft', kind, documentId, toParams(locale));
    this.reference.discard(kind, documentId, locale);
    return `${kind} ${documentId.slice(0, 4)} ${locale} discarded`;
  }

  /** Deletes a locale, and where that was the last one makes another document in its stead. */
  async remove(kind: Kind, documentId: string, locale: string): Promise<string> {
    assert.equal(await this.api.remove(kind, documentId, locale === '-' ? undefined : locale), true);
    this.reference.removeLocale(documentId, locale);
    if (this.reference.documents(kind).length < 3) {
      const created = await this.api.create(kind, {});
      this.reference.write({ kind, documentId: created.documentId, locale: isLocalized(kind) ? 'en' : '-', publish: true });
    }
    return `${kind} ${documentId.slice(0, 4)} ${locale} removed`;
  }

  /** Compares every relation of every readable version. */
  async check(story: string): Promise<void> {
    for (const kind of KINDS) {
      for (const status of hasDrafts(kind) ? (['draft', 'published'] as const) : (['published', 'draft'] as const)) {
        for (const locale of isLocalized(kind) ? ['en', 'fr'] : ['-']) await this.#checkVersions(kind, status, locale, story);
      }
    }
  }

  async #checkVersions(kind: Kind, status: Status, locale: string, story: string): Promise<void> {
    const populate = Object.fromEntries(Object.keys(relationsOf(kind, this.relations)).map((name) => [name, { fields: ['documentId'] }]));
    const records = await this.api.list(kind, { status, populate, fields: ['documentId'], ...toParams(locale) });
    this.compare(records, { kind, status, locale }, story);
  }

  /** Compares all records of one status and locale, the relations populated, with the rules. */
  compare(records: readonly Answer[], { kind, status, locale }: Reading, story: string): void {
    const expected = this.reference.documents(kind).filter((documentId) => this.reference.exists(documentId, locale, status));
    assert.deepEqual(sorted(records.map(({ documentId }) => documentId)), sorted(expected), `${story}\n${kind} ${status} ${locale}`);
    const seen: Record<string, readonly string[]> = {};
    const wanted: Record<string, readonly string[]> = {};
    for (const record of records) {
      for (const { relation, side, name } of sidesOf(kind, this.relations)) {
        const key = `${record.documentId} ${name}`;
        const all = sorted(this.reference.seen(relation, side, record.documentId, locale, status));
        seen[key] = sorted(idsIn(record[name]));
        // A to-one of a type without locales may be linked in several locales at once: it shows one of them.
        wanted[key] = !isMany(relation, side) && all.length > 1 ? all.filter((id) => seen[key]?.includes(id)).slice(0, 1) : all;
      }
    }
    const differing = Object.keys(wanted).filter((key) => JSON.stringify(wanted[key]) !== JSON.stringify(seen[key])).map((key) => `${key}: ${JSON.stringify(wanted[key])} seen ${JSON.stringify(seen[key])}`);
    assert.equal(differing.length, 0, `${story}\n${kind} ${status} ${locale}\n${differing.join('\n')}`);
  }
}

/** The relations a kind of type has, seen from it. */
export const sidesOf = (kind: Kind, relations: readonly Relation[] = RELATIONS): readonly { readonly relation: Relation; readonly side: Side; readonly name: string }[] => relations.flatMap((relation) => [
  ...(relation.owner === kind ? [{ relation, side: 'owner', name: ownAttribute(relation) } as const] : []),
  ...(relation.target === kind ? [{ relation, side: 'inverse', name: inverseAttribute(relation) } as const] : []),
]);

export const toParams = (locale: string) => (locale === '-' ? {} : { locale });

export const toData = (operation: ReferenceOperation): unknown => (operation.kind === 'set' ? operation.targets : { connect: operation.connect, disconnect: operation.disconnect });
