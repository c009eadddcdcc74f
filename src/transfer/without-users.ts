import { USER_UID } from '../model/content-types/builtin/registry.js';
import type { ContentSource, EntityRecord } from './source.js';

async function* otherThanUsers(records: AsyncIterable<EntityRecord>): AsyncGenerator<EntityRecord> {
  for await (const record of records) if (record.type !== USER_UID) yield record;
}

/** Leaves the users of a source out, with the hashes of their passwords. */
export function withoutUsers(source: ContentSource): ContentSource {
  return { ...source, entities: () => otherThanUsers(source.entities()) };
}
