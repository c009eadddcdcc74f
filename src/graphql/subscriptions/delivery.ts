import type { DocumentChange } from '../../documents/changes/document-change.js';
import type { Watch } from '../../documents/changes/watch.js';
import type { Uid } from '../../model/model.js';

/** What subscriptions are told of. `published` and `unpublished` exist where there are drafts. */
export type ChangeKind = 'created' | 'updated' | 'deleted' | 'published' | 'unpublished';

export type OperationKind = 'query' | 'mutation' | 'subscription';

/** What one subscription waits for. */
export interface Topic {
  readonly type: Uid;
  readonly kind: ChangeKind;
  /** Null: any document. */
  readonly documentId: string | null;
  /** Of removals: whose. Null: what was written is looked at when it is told of. */
  readonly watch: Watch | null;
}

/**
 * One run of a subscription's document: first without a change, to see whether it may be run at all and what it waits for; then once for each
 * change. What the root field's resolver has found out stands here afterwards.
 */
export interface Delivery {
  readonly change: DocumentChange | null;
  /** Null: the document was refused before its operation was known. */
  operation: OperationKind | null;
  topic: Topic | null;
  /** Whether there is anything that this subscriber is to be told. */
  isTold: boolean;
}

export function createDelivery(change: DocumentChange | null): Delivery {
  return { change, operation: null, topic: null, isTold: false };
}

const MATCHES: Readonly<Record<DocumentChange['action'], readonly ChangeKind[]>> = {
  create: ['created'],
  update: ['updated'],
  discardDraft: ['updated'],
  publish: ['published'],
  unpublish: ['unpublished'],
  delete: ['deleted'],
};

/** The kinds of change that one write is. Writing a published version publishes it, whichever operation did it. */
export function kindsOf({ action, status }: DocumentChange, type: { readonly kind: 'collectionType' | 'singleType' }): readonly ChangeKind[] {
  // Nobody creates a single type: its first write is an update to who watches it.
  const kinds = action === 'create' && type.kind === 'singleType' ? (['updated'] as const) : MATCHES[action];
  return status === 'published' && (action === 'create' || action === 'update') ? [...kinds, 'published'] : kinds;
}
