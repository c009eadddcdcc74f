import type { Uid } from '../../model/model.js';
import { typeOf } from '../../query/read-context.js';
import type { LinkRef } from '../../validation/input.js';
import type { WriteScope } from '../write-scope.js';
import type { LinkWork } from './link-work.js';
import { linkedRefs, namedRefs } from './resolve-links.js';
import type { TargetBook } from './target-book.js';

/** Documents by type whose rows a write changes besides its own, or whose owners it decides about. */
export type PeerSet = Map<Uid, Set<string>>;

const add = (peers: PeerSet, type: Uid, documentId: string | null): void => {
  if (documentId === null) return;
  const known = peers.get(type);
  if (known === undefined) peers.set(type, new Set([documentId]));
  else known.add(documentId);
};

const addInverse = (peers: PeerSet, work: LinkWork, book: TargetBook): void => {
  const { view, operation } = work;
  if (operation === null) return;
  const found = (ref: LinkRef): string | null => book.find(ref.type, ref);
  for (const ref of namedRefs(operation)) add(peers, view.owner.uid, found(ref));
  for (const entry of work.entries) add(peers, view.owner.uid, entry.sourceDocumentId);
};

const addExclusive = (peers: PeerSet, work: LinkWork, book: TargetBook): void => {
  const { view, operation } = work;
  for (const rival of work.rivals) {
    add(peers, view.owner.uid, rival.sourceDocumentId);
    add(peers, rival.targetType, rival.targetDocumentId);
  }
  for (const ref of operation === null ? [] : linkedRefs(operation)) add(peers, ref.type, book.find(ref.type, ref));
};

/** The documents that must stand still while these links are written. */
export function peersOf(works: readonly LinkWork[], book: TargetBook): PeerSet {
  const peers: PeerSet = new Map();
  for (const work of works) {
    if (work.view.attribute.side === 'inverse') addInverse(peers, work, book);
    else if (work.view.link.exclusive) addExclusive(peers, work, book);
  }
  return peers;
}

/** Locks what is not locked yet; false where nothing was left to lock. Of writers in each other's way some are run again. */
export async function lockPeers(scope: WriteScope, peers: PeerSet, locked: PeerSet): Promise<boolean> {
  let hasLocked = false;
  for (const [uid, documentIds] of peers) {
    const done = locked.get(uid) ?? new Set<string>();
    locked.set(uid, done);
    const missing = [...documentIds].filter((documentId) => !done.has(documentId) && !(uid === scope.type.uid && documentId === scope.documentId)).toSorted();
    for (const documentId of missing) done.add(documentId);
    if (missing.length === 0) continue;
    if (!hasLocked) await scope.tx.yieldSoon();
    const { sql, parameters } = scope.context.anchorOf(typeOf(scope.context.model, uid)).lock(missing);
    await scope.tx.execute(sql, parameters);
    hasLocked = true;
  }
  return hasLocked;
}
