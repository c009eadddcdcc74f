import { lastSegment } from '../../lib/uid.js';
import { editAttribute } from '../../scaffold/edit-attribute.js';
import { resolveAttribute, resolveSchema } from '../../scaffold/resolve-name.js';
import type { Outcome } from '../outcome.js';
import type { SchemaEditSession } from './schema-edit-session.js';

interface IndexRequest {
  readonly uid: string;
  readonly attribute: string;
  readonly isIndexed: boolean;
}

/**
 * Declares an attribute as indexed, or not, and migrates.
 *
 * @throws `scaffold/invalid-attribute` where an index cannot hold its values
 */
export async function setIndex(
  session: SchemaEditSession,
  { uid, attribute, isIndexed }: IndexRequest,
): Promise<Outcome> {
  const schema = resolveSchema(session.edits.definitions, uid);
  const name = resolveAttribute(schema, attribute);
  const options = [{ key: 'index', value: String(isIndexed) }];
  const { before, after } = await editAttribute(session.edits, schema, name, { options, unset: [] });
  return session.commit({
    label: `${isIndexed ? 'index' : 'unindex'} ${name} of ${lastSegment(schema.uid)}`,
    json: { uid: schema.uid, attribute: name, before, after },
    text: `${schema.uid} ${name}`,
  });
}
