import { fail } from '../../errors/catalogue.js';
import type { Uid } from '../../model/model.js';
import { typeOf } from '../../query/read-context.js';
import type { FilterNode } from '../../query/query.js';
import type { LinkRef, ParsedInput } from '../../validation/input.js';
import type { WriteScope } from '../write-scope.js';
import { linkedRefs } from './resolve-links.js';
import type { TargetBook } from './target-book.js';

const visibleIds = async ({ context, tx }: WriteScope, uid: Uid, filter: FilterNode, documentIds: readonly string[]): Promise<ReadonlySet<string>> => {
  const named: FilterNode = { kind: 'compare', field: 'documentId', operator: '$in', operand: documentIds };
  const query = { type: uid, filter: { kind: 'and', items: [named, filter] }, locale: '*', hasPublishedVersion: null } as const;
  const published = await context.records.documentIdsIn(tx, { ...query, status: 'published' });
  const drafts = typeOf(context.model, uid).draftAndPublish ? await context.records.documentIdsIn(tx, { ...query, status: 'draft' }) : [];
  return new Set([...published, ...drafts]);
};

/**
 * Refuses links to documents that the caller may not look at, as if they did not exist.
 * Throws `request/invalid-relation`.
 */
export async function assertVisibleTargets(scope: WriteScope, parsed: ParsedInput, book: TargetBook): Promise<void> {
  const limitsOf = scope.access?.limitsOf;
  if (limitsOf === undefined) return;
  const operations = [...[...parsed.links].map(([name, operation]) => ({ name, operation })), ...parsed.componentLinks.map(({ path, operation }) => ({ name: path.join('.'), operation }))];
  const refs = operations.flatMap(({ name, operation }) => linkedRefs(operation).map((ref): LinkRef & { readonly name: string } => ({ ...ref, name })));
  for (const uid of new Set(refs.map(({ type }) => type))) {
    const filter = limitsOf(uid, 'find')?.filter ?? null;
    if (filter === null) continue;
    const found = refs.filter(({ type }) => type === uid).map((ref) => ({ name: ref.name, documentId: book.find(uid, ref) }));
    const visible = await visibleIds(scope, uid, filter, found.flatMap(({ documentId }) => documentId ?? []));
    const hidden = found.find(({ documentId }) => documentId !== null && !visible.has(documentId));
    if (hidden !== undefined) throw fail('request/invalid-relation', { attribute: hidden.name, reason: `there is no ${uid} with documentId ${hidden.documentId}.` });
  }
}
