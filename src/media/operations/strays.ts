import type { MediaContext } from '../media-context.js';
import type { StoredObject } from '../media.js';
import { findPendingKeys } from '../outbox.js';

/**
 * Returns what the current store holds that neither a file nor an upload in progress has. Null: it cannot
 * tell.
 */
export async function findStrays({
  database,
  files,
  providers,
}: MediaContext): Promise<readonly StoredObject[] | null> {
  const { list } = providers.current;
  if (list === undefined) return null;
  // What is stored while this runs is not in the list. What was stored before had an entry of the outbox
  // until its row was written, so that it is found in one of them where they are read in this order.
  const strays = new Map((await list()).map((object) => [object.name, object]));
  const pending = await database.transact(findPendingKeys);
  for (const key of pending) strays.delete(key);
  await database.transact(async (tx) => {
    for await (const keys of files.storedKeys(tx)) for (const key of keys) strays.delete(key);
  });
  return [...strays.values()];
}

/** Removes objects of the current store. */
export async function removeStrays({ providers }: MediaContext, names: readonly string[]): Promise<void> {
  for (const name of names) await providers.current.remove(name);
}
