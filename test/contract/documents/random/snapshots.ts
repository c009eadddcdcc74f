import assert from 'node:assert/strict';
import { hasDrafts, inverseAttribute, isMany, ownAttribute } from '../relation-kinds.js';
import type { Kind, ReferenceOperation, Relation, Side, Status } from '../relation-kinds.js';
import { sidesOf } from '../relation-comparison.js';
import type { ReturnedRecord } from '../service.js';
import { TWO_WAY } from './project.js';

export interface RelationChange {
  readonly relation: Relation;
  readonly side: Side;
  readonly operation: ReferenceOperation;
}

/** What an operation wrote. Everything else must be unchanged after it. */
export interface Effect {
  readonly description: string;
  readonly documentId: string | null;
  readonly locale: string;
  readonly action: 'write' | 'publish' | 'unpublish' | 'discard' | 'remove' | 'none';
  readonly publishes: boolean;
  readonly names: ReadonlySet<string>;
  readonly relation: RelationChange | null;
}

/** The content of one version as it was read. */
export interface Snapshot {
  readonly kind: Kind;
  readonly record: ReturnedRecord;
  readonly components: Readonly<Record<string, readonly number[]>>;
  readonly lists: Readonly<Record<string, readonly string[]>>;
}

export const manySides = (kind: Kind) =>
  sidesOf(kind, TWO_WAY).filter(({ relation, side }) => isMany(relation, side));

/** Returns document id and locale of each item of a list, which may contain several locales of a document. */
export const entriesIn = (value: unknown): readonly string[] =>
  (value as readonly ReturnedRecord[]).map(({ documentId, locale }) => `${documentId} ${String(locale)}`);

const documentOf = (entry: string): string => entry.split(' ')[0] ?? '';

const common = (list: readonly string[], other: readonly string[]): readonly string[] =>
  list.filter((id) => other.includes(id));

const keptTimes = ({ id, createdAt, updatedAt, publishedAt }: ReturnedRecord): unknown => ({
  id,
  createdAt,
  updatedAt,
  publishedAt,
});

const isAffected = ({ kind }: Snapshot, status: string, effect: Effect): boolean => {
  if (!hasDrafts(kind)) return effect.action === 'write' || effect.action === 'remove';
  if (status === 'published') return effect.publishes;
  return effect.action === 'write' || effect.publishes || effect.action === 'discard';
};

/**
 * Asserts that an operation did not change those parts of a version that it did not write: the row, the ids
 * of components, and the order of lists.
 */
export const checkUnchanged = (key: string, before: Snapshot, after: Snapshot, effect: Effect): void => {
  const [documentId = '', , status = ''] = key.split(' ');
  const at = `${effect.description}\n${before.kind} ${key}`;
  assert.equal(after.record.id, before.record.id, `${at}: another row`);
  assert.deepEqual(after.record['createdAt'], before.record['createdAt'], at);
  const isOwn = documentId === effect.documentId;
  if (!isOwn || !isAffected(before, status, effect))
    assert.deepEqual(keptTimes(after.record), keptTimes(before.record), `${at}: touched`);
  for (const [name, ids] of Object.entries(before.components)) {
    const isWritten = isOwn && (effect.names.has(name) || effect.publishes || effect.action === 'discard');
    if (!isWritten) assert.deepEqual(after.components[name], ids, `${at}.${name}: ids`);
  }
  const isCopied = isOwn && (status === 'published' ? effect.publishes : effect.action === 'discard');
  for (const { relation, name } of manySides(before.kind)) {
    if (isCopied || relation === effect.relation?.relation) continue;
    const [old, now] = [before.lists[name] ?? [], after.lists[name] ?? []];
    assert.deepEqual(common(now, old), common(old, now), `${at}.${name}: order`);
  }
};

/** Asserts that lists have the order in which they were set, and the same order when they are published. */
export const checkOrder = (
  snapshots: ReadonlyMap<string, Snapshot>,
  { description, documentId, locale, publishes, relation }: Effect,
): void => {
  const versionIn = (status: Status): Snapshot | undefined =>
    snapshots.get(`${String(documentId)} ${locale} ${status}`);
  const [draft, published] = [versionIn('draft'), versionIn('published')];
  const { kind } = draft ?? published ?? { kind: 'plain' };
  if (relation !== null && relation.operation.kind === 'set' && isMany(relation.relation, relation.side)) {
    const name =
      relation.side === 'owner' ? ownAttribute(relation.relation) : inverseAttribute(relation.relation);
    for (const [status, version] of [
      ['draft', draft],
      ['published', published],
    ] as const) {
      if (version === undefined || (status === 'published' && !publishes)) continue;
      const list = [...new Set((version.lists[name] ?? []).map(documentOf))];
      assert.deepEqual(
        list,
        common(relation.operation.targets, list),
        `${description}\n${status} ${name}: as set`,
      );
    }
  }
  if (!publishes || draft === undefined || published === undefined || !hasDrafts(kind)) return;
  for (const { name, side } of manySides(kind)) {
    const edited: readonly string[] = draft.lists[name] ?? [];
    const shown: readonly string[] = published.lists[name] ?? [];
    if (side === 'owner')
      assert.deepEqual(
        common(shown, edited),
        common(edited, shown),
        `${description}\n${name}: published in the draft's order`,
      );
  }
};
