import type { Transaction } from '../../../../src/database/database.js';
import type { ContentType, LinkAttribute, TableLink } from '../../../../src/model/model.js';
import { NO_LOCALE } from '../../../../src/model/model.js';
import type { TestEnvironment } from '../../../support/test-environment.js';

/** One version row as tests write it. */
export interface Row {
  readonly documentId: string;
  readonly locale?: string;
  readonly status?: 'draft' | 'published';
  /** Scalars, and components as their stored JSON. */
  readonly values?: Readonly<Record<string, unknown>>;
  /**
   * Linked document ids by attribute; only of relations that the type owns. `doc@fr` names the target's
   * locale, `doc#draft` its status.
   */
  readonly links?: Readonly<Record<string, string | readonly string[]>>;
}

const MOMENT = new Date('2026-01-02T03:04:05.678Z');

const ownLinks = (type: ContentType, row: Row): readonly (readonly [LinkAttribute, readonly string[]])[] =>
  Object.entries(row.links ?? {}).map(([name, target]) => {
    const attribute = type.attributes[name];
    if (attribute?.family !== 'relation' && attribute?.family !== 'media')
      throw new TypeError(`${name} is no link`);
    return [attribute, typeof target === 'string' ? [target] : target];
  });

const columnFields = (type: ContentType, row: Row): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    ownLinks(type, row).flatMap(([{ link }, [target]]) => {
      if (link?.kind !== 'column') return [];
      return [
        [link.field, target] as const,
        ...(link.position === null ? [] : [[link.position.field, 1] as const]),
      ];
    }),
  );

const valueFields = (type: ContentType, row: Row): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(row.values ?? {}).map(([name, value]) => {
      const attribute = type.attributes[name];
      if (attribute === undefined || !('column' in attribute)) throw new TypeError(`${name} has no column`);
      return [attribute.column.field, value];
    }),
  );

const targetState = (link: TableLink, state: string): Readonly<Record<string, unknown>> => ({
  ...(link.hasTargetLocale ? { targetLocale: /@(\w+)/.exec(state)?.[1] ?? 'en' } : {}),
  ...(link.hasTargetStatus ? { targetStatus: /#(\w+)/.exec(state)?.[1] ?? 'published' } : {}),
});

const insertLinks = async (
  tx: Transaction,
  type: ContentType,
  row: Row,
  sourceId: unknown,
): Promise<void> => {
  for (const [{ link }, targets] of ownLinks(type, row)) {
    if (link?.kind === 'table') {
      const data = targets.map((target, position) => ({
        sourceId,
        targetDocumentId: target.replace(/[@#].*/, ''),
        position,
        ...(link.hasInversePosition ? { inversePosition: 1 } : {}),
        ...targetState(link, target),
      }));
      await tx.model(link.model).createMany({ data });
    }
    if (link?.kind === 'morph') {
      const data = targets.map((target, position) => {
        const [uid, documentId] = target.split('=');
        return {
          sourceId,
          position,
          [link.targets.find((each) => each.uid === uid)?.field ?? '']: documentId,
        };
      });
      await tx.model(link.model).createMany({ data });
    }
  }
};

/** Writes version rows in the form of the document service, without its checks. */
export async function seed(
  testEnvironment: TestEnvironment,
  uid: string,
  rows: readonly Row[],
): Promise<void> {
  const type = testEnvironment.model.typesByUid[uid];
  if (type === undefined) throw new TypeError(`No type ${uid}`);
  const { document, version } = type.storage;
  await testEnvironment.database.transact(async (tx) => {
    for (const { documentId } of rows)
      await tx.model(document.model).upsert({ where: { documentId }, create: { documentId }, update: {} });
    for (const row of rows) {
      const { documentId, status = 'published', locale = type.localized ? 'en' : NO_LOCALE } = row;
      const { id } = await tx.model(version.model).create({
        data: {
          documentId,
          locale,
          status,
          createdAt: MOMENT,
          updatedAt: MOMENT,
          publishedAt: status === 'draft' ? null : MOMENT,
          ...valueFields(type, row),
          ...columnFields(type, row),
        },
        select: { id: true },
      });
      await insertLinks(tx, type, row, id);
    }
  });
}
