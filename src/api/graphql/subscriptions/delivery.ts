import type { DocumentNode } from 'graphql';
import type { DocumentChange } from '../../../documents/changes/change-log.js';
import type { Watch } from '../../../documents/changes/leases.js';
import type { Uid } from '../../../model/model.js';

/**
 * The kinds of change to which clients can subscribe. `published` and `unpublished` exist only for types with
 * drafts.
 */
export type ChangeKind = 'created' | 'updated' | 'deleted' | 'published' | 'unpublished';

/** The kinds of change after which a subscriber can no longer read the document. */
export const REMOVAL_KINDS: ReadonlySet<ChangeKind> = new Set(['deleted', 'unpublished']);

export type OperationKind = 'query' | 'mutation' | 'subscription';

/** The changes that one subscription reports. */
export interface Topic {
  readonly type: Uid;
  readonly kind: ChangeKind;
  /** Null: all documents. */
  readonly documentId: string | null;
  /**
   * For removals: the read that selects the documents. A removed document can no longer be read, so the
   * deleting transaction evaluates this read. Null: the document is read when the change is delivered.
   */
  readonly watch: Watch | null;
}

/**
 * One run of a subscription's document: first without a change, to check the permission and determine the
 * topic, then once for each change. The resolver of the root field and the executor set the other
 * properties.
 */
export interface Delivery {
  readonly change: DocumentChange | null;
  /** The validated document; null: it was rejected. */
  document: DocumentNode | null;
  operation: OperationKind | null;
  topic: Topic | null;
  /** True if the subscriber receives an event for the change. */
  shouldSend: boolean;
}

export function createDelivery(change: DocumentChange | null): Delivery {
  return { change, document: null, operation: null, topic: null, shouldSend: false };
}

const KINDS_BY_ACTION: Readonly<Record<DocumentChange['action'], readonly ChangeKind[]>> = {
  create: ['created'],
  update: ['updated'],
  discardDraft: ['updated'],
  publish: ['published'],
  unpublish: ['unpublished'],
  delete: ['deleted'],
};

/** Returns the kinds of change of one write. Every write of a published version is also a publication. */
export function changeKindsOf(
  { action, status }: DocumentChange,
  type: { readonly kind: 'collectionType' | 'singleType' },
): readonly ChangeKind[] {
  // To readers a single type always exists, so its first write is an update.
  const kinds =
    action === 'create' && type.kind === 'singleType' ? (['updated'] as const) : KINDS_BY_ACTION[action];
  return status === 'published' && (action === 'create' || action === 'update')
    ? [...kinds, 'published']
    : kinds;
}
