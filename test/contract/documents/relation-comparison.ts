import assert from 'node:assert/strict';
import type { TypeLiteral } from '../../support/models.js';
import {
  hasDrafts,
  inverseAttribute,
  isLocalized,
  isMany,
  KINDS,
  ownAttribute,
  RELATIONS,
} from './relation-kinds.js';
import { ReferenceLinks } from './reference-links.js';
import type { Kind, ReferenceOperation, Relation, Side, Status } from './relation-kinds.js';
import type { ReferenceWrite } from './reference-links.js';
import { errorOf } from './service.js';
import type { ReturnedRecord, Api } from './service.js';

const OPPOSITE = { oneToOne: 'oneToOne', manyToOne: 'oneToMany', manyToMany: 'manyToMany' } as const;

/** Returns the relation attributes of a kind of type, on both sides of its relations. */
export const relationsOf = (
  kind: Kind,
  relations: readonly Relation[] = RELATIONS,
): TypeLiteral['attributes'] =>
  Object.fromEntries(
    relations.flatMap((relation) => [
      ...(relation.owner === kind
        ? [
            [
              ownAttribute(relation),
              {
                type: 'relation',
                relation: relation.shape,
                target: `api::${relation.target}.${relation.target}`,
                inversedBy: inverseAttribute(relation),
              },
            ] as const,
          ]
        : []),
      ...(relation.target === kind
        ? [
            [
              inverseAttribute(relation),
              {
                type: 'relation',
                relation: OPPOSITE[relation.shape],
                target: `api::${relation.owner}.${relation.owner}`,
                mappedBy: ownAttribute(relation),
              },
            ] as const,
          ]
        : []),
    ]),
  );

const sorted = (items: Iterable<string>): readonly string[] => [...items].toSorted();

/** Returns the document ids in a populated attribute. */
export const idsIn = (value: unknown): readonly string[] => {
  const items = Array.isArray(value) ? (value as readonly unknown[]) : [value];
  return items.flatMap((item) =>
    typeof item === 'object' && item !== null && 'documentId' in item ? [String(item.documentId)] : [],
  );
};

/** One status and locale of all documents of a type. The locale is `-` if the type has none. */
interface VersionFilter {
  readonly kind: Kind;
  readonly status: Status;
  readonly locale: string;
}

/** Does the same operations with the document service and with the reference, and compares the results. */
export class Comparison {
  readonly reference: ReferenceLinks;

  constructor(
    private readonly api: Api,
    private readonly relations: readonly Relation[] = RELATIONS,
  ) {
    this.reference = new ReferenceLinks(relations);
  }

  async createAll(): Promise<void> {
    for (const kind of KINDS) {
      for (const publish of [true, true, false]) {
        const { documentId } = await this.api.create(kind, {}, { status: publish ? 'published' : 'draft' });
        this.reference.write({
          kind,
          documentId,
          locale: isLocalized(kind) ? 'en' : '-',
          publish: publish || !hasDrafts(kind),
        });
      }
    }
  }

  async write({ kind, documentId, locale, publish, relation }: ReferenceWrite): Promise<string> {
    const data =
      relation === undefined
        ? {}
        : {
            [relation.side === 'owner'
              ? ownAttribute(relation.relation)
              : inverseAttribute(relation.relation)]: toData(relation.operation),
          };
    const params = { status: publish ? 'published' : 'draft', ...toParams(locale) };
    const call = this.api.update(kind, documentId, data, params);
    const description = `${kind} ${documentId.slice(0, 4)} ${JSON.stringify(params)} ${JSON.stringify(data)}`;
    if (
      !this.reference.write({
        kind,
        documentId,
        locale,
        publish: publish || !hasDrafts(kind),
        ...(relation === undefined ? {} : { relation }),
      })
    ) {
      assert.equal((await errorOf(call)).code, 'request/invalid-relation', description);
      return `${description} refused`;
    }
    await call;
    return description;
  }

  async unpublish(kind: Kind, documentId: string, locale: string): Promise<string> {
    await this.api.act('unpublish', kind, documentId, toParams(locale));
    this.reference.unpublish(documentId, locale);
    return `${kind} ${documentId.slice(0, 4)} ${locale} unpublished`;
  }

  async discard(kind: Kind, documentId: string, locale: string): Promise<string> {
    if (!this.reference.exists(documentId, locale, 'published')) {
      await errorOf(this.api.act('discardDraft', kind, documentId, toParams(locale)));
      return 'nothing to discard';
    }
    await this.api.act('discardDraft', kind, documentId, toParams(locale));
    this.reference.discard(kind, documentId, locale);
    return `${kind} ${documentId.slice(0, 4)} ${locale} discarded`;
  }

  /** Deletes a locale. Creates another document if fewer than three of that kind are left. */
  async remove(kind: Kind, documentId: string, locale: string): Promise<string> {
    assert.equal(await this.api.remove(kind, documentId, locale === '-' ? undefined : locale), true);
    this.reference.removeLocale(documentId, locale);
    if (this.reference.documents(kind).length < 3) {
      const created = await this.api.create(kind, {});
      this.reference.write({
        kind,
        documentId: created.documentId,
        locale: isLocalized(kind) ? 'en' : '-',
        publish: true,
      });
    }
    return `${kind} ${documentId.slice(0, 4)} ${locale} removed`;
  }

  /** Compares every relation of every version that can be read. */
  async check(description: string): Promise<void> {
    for (const kind of KINDS) {
      for (const status of hasDrafts(kind)
        ? (['draft', 'published'] as const)
        : (['published', 'draft'] as const)) {
        for (const locale of isLocalized(kind) ? ['en', 'fr'] : ['-'])
          await this.#checkVersions(kind, status, locale, description);
      }
    }
  }

  async #checkVersions(kind: Kind, status: Status, locale: string, description: string): Promise<void> {
    const populate = Object.fromEntries(
      Object.keys(relationsOf(kind, this.relations)).map((name) => [name, { fields: ['documentId'] }]),
    );
    const records = await this.api.list(kind, {
      status,
      populate,
      fields: ['documentId'],
      ...toParams(locale),
    });
    this.compare(records, { kind, status, locale }, description);
  }

  /** Compares all records of one status and locale, which have populated relations, with the reference. */
  compare(
    records: readonly ReturnedRecord[],
    { kind, status, locale }: VersionFilter,
    description: string,
  ): void {
    const expected = this.reference
      .documents(kind)
      .filter((documentId) => this.reference.exists(documentId, locale, status));
    assert.deepEqual(
      sorted(records.map(({ documentId }) => documentId)),
      sorted(expected),
      `${description}\n${kind} ${status} ${locale}`,
    );
    const actualIds: Record<string, readonly string[]> = {};
    const expectedIds: Record<string, readonly string[]> = {};
    for (const record of records) {
      for (const { relation, side, name } of sidesOf(kind, this.relations)) {
        const key = `${record.documentId} ${name}`;
        const all = sorted(this.reference.visible(relation, side, record.documentId, locale, status));
        actualIds[key] = sorted(idsIn(record[name]));
        // A to-one relation of a type without locales may have a link per locale, but shows only one of them.
        expectedIds[key] =
          !isMany(relation, side) && all.length > 1
            ? all.filter((id) => actualIds[key]?.includes(id)).slice(0, 1)
            : all;
      }
    }
    const differing = Object.keys(expectedIds)
      .filter((key) => JSON.stringify(expectedIds[key]) !== JSON.stringify(actualIds[key]))
      .map((key) => `${key}: ${JSON.stringify(expectedIds[key])} seen ${JSON.stringify(actualIds[key])}`);
    assert.equal(differing.length, 0, `${description}\n${kind} ${status} ${locale}\n${differing.join('\n')}`);
  }
}

/** Returns the relations of a kind of type, with the side it is on. */
export const sidesOf = (
  kind: Kind,
  relations: readonly Relation[] = RELATIONS,
): readonly { readonly relation: Relation; readonly side: Side; readonly name: string }[] =>
  relations.flatMap((relation) => [
    ...(relation.owner === kind ? [{ relation, side: 'owner', name: ownAttribute(relation) } as const] : []),
    ...(relation.target === kind
      ? [{ relation, side: 'inverse', name: inverseAttribute(relation) } as const]
      : []),
  ]);

export const toParams = (locale: string) => (locale === '-' ? {} : { locale });

export const toData = (operation: ReferenceOperation): unknown =>
  operation.kind === 'set'
    ? operation.targets
    : { connect: operation.connect, disconnect: operation.disconnect };
