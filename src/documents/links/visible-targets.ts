import type { Uid } from '../../model/model.js';
import { typeOf } from '../../query/read-context.js';
import type { FilterNode } from '../../query/query.js';
import type { ParsedInput } from '../../validation/input.js';
import type { WriteScope } from '../write-scope.js';
import { shownRefs } from './resolve-links.js';
import type { TargetBook } from './target-book.js';

const visibleIds = async ({ context, tx }: WriteScope, uid: Uid, filter: FilterNode, documentIds: readonly string[]): Promise<ReadonlySet<string>> => {
  const named: FilterNode = { kind: 'compare', field: 'documentId', operator: '$in', operand: documentIds };
  const query = { type: uid, filter: { kind: 'and', items: [named, filter] }, locale: '*', hasPublishedVersion: null } as const;
  const published = await context.records.documentIdsIn(tx, { ...query, status: 'published' });
  const drafts = typeOf(context.model, uid).draftAndPublish ? await context.records.documentIdsIn(tx, { ...query, status: 'draft' }) : [];
  return new Set([...published, ...drafts]);
};

/**
 * Hides what the caller may not look at from the write, so that linking it, or putting something beside it, is refused like a link to what does
 * not exist: no answer tells one from the other.
 */
export async function hideInvisibleTargets(scope: WriteScope, parsed: ParsedInput, book: TargetBook): Promise<void> {
  const limitsOf = scope.access?.limitsOf;
  if (limitsOf === undefined) return;
  const refs = [...parsed.links.values(), ...parsed.componentLinks.map(({ operation }) => operation)].flatMap(shownRefs);
  for (const uid of new Set(refs.map(({ type }) => type))) {
    const filter = limitsOf(uid, 'find')?.filter ?? null;
    if (filter === null) continue;
    const found = refs.flatMap((ref) => (ref.type === uid ? book.find(uid, ref) ?? [] : []));
    const visible = await visibleIds(scope, uid, filter, found);
    book.hide(uid, new Set(found.filter((documentId) => !visible.has(documentId))));
  }
}
