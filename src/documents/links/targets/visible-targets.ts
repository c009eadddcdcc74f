import { typeOf } from '../../../model/lookup.js';
import type { Uid } from '../../../model/model.js';
import type { FilterNode } from '../../../query/query.js';
import type { ParsedInput } from '../../validation/input.js';
import type { WriteContext } from '../../write/write-context.js';
import { linkedAndPositionRefs } from './resolve-links.js';
import type { TargetLookup } from './target-lookup.js';

/** Returns those of the documents that have a version the filter matches. */
const loadVisibleIds = async (
  { model, records, tx }: WriteContext,
  uid: Uid,
  filter: FilterNode,
  documentIds: readonly string[],
): Promise<ReadonlySet<string>> => {
  const byDocumentId: FilterNode = {
    kind: 'compare',
    field: 'documentId',
    operator: '$in',
    operand: documentIds,
  };
  const query = {
    type: uid,
    filter: { kind: 'and', items: [byDocumentId, filter] },
    locale: '*',
    hasPublishedVersion: null,
  } as const;
  const published = await records.documentIdsIn(tx, { ...query, status: 'published' });
  const drafts = typeOf(model, uid).draftAndPublish
    ? await records.documentIdsIn(tx, { ...query, status: 'draft' })
    : [];
  return new Set([...published, ...drafts]);
};

/**
 * Returns the lookup without the documents that the caller may not find. Linking one of them, or naming it as
 * a position, then fails like naming a document that does not exist, so that the caller cannot tell the
 * difference.
 */
export async function hideInvisibleTargets(
  context: WriteContext,
  parsed: ParsedInput,
  lookup: TargetLookup,
): Promise<TargetLookup> {
  const accessScopeOf = context.access?.scopeOf;
  if (accessScopeOf === undefined) return lookup;
  const operations = [...parsed.links.values(), ...parsed.componentLinks.map(({ operation }) => operation)];
  const refs = operations.flatMap(linkedAndPositionRefs);
  const hidden = new Map<Uid, ReadonlySet<string>>();
  for (const uid of new Set(refs.map(({ type }) => type))) {
    const filter = accessScopeOf(uid, 'find')?.filter ?? null;
    if (filter === null) continue;
    const documentIds = refs.flatMap((ref) => (ref.type === uid ? (lookup.find(uid, ref) ?? []) : []));
    const visible = await loadVisibleIds(context, uid, filter, documentIds);
    hidden.set(uid, new Set(documentIds.filter((documentId) => !visible.has(documentId))));
  }
  return lookup.hide(hidden);
}
