import { lastSegment } from '../../lib/uid.js';
import { editAttribute } from '../../project/scaffold/edit-attribute.js';
import { resolveAttribute, resolveSchema } from '../../project/scaffold/resolve-name.js';
import type { Outcome } from '../outcome.js';
import type { SchemaEditSession } from './schema-edit-session.js';

interface IndexRequest {
  readonly uid: string;
  readonly attribute: string;
  /** An index of values, or of the texts in them. */
  readonly option: 'index' | 'search';
  readonly isSet: boolean;
}

/**
 * Declares an attribute as indexed, or not, and migrates.
 *
 * @throws `scaffold/invalid-attribute` where an index cannot hold its values
 */
export async function setIndex(
  session: SchemaEditSession,
  { uid, attribute, option, isSet }: IndexRequest,
): Promise<Outcome> {
  const schema = resolveSchema(session.edits.definitions, uid);
  const name = resolveAttribute(schema, attribute);
  const options = [{ key: option, value: String(isSet) }];
  const { before, after } = await editAttribute(session.edits, schema, name, { options, unset: [] });
  return session.commit({
    label: `${isSet ? '' : 'un'}${option} ${name} of ${lastSegment(schema.uid)}`,
    json: { uid: schema.uid, attribute: name, before, after },
    text: `${schema.uid} ${name}`,
  });
}

interface IndexesRequest {
  readonly indexes: readonly { readonly type: string; readonly attribute: string }[];
  /** The command's own part of the JSON result. */
  readonly json: Readonly<Record<string, unknown>>;
}

/** Declares several attributes as indexed, and migrates once. */
export async function addIndexes(
  session: SchemaEditSession,
  { indexes, json }: IndexesRequest,
): Promise<Outcome> {
  const options = [{ key: 'index', value: 'true' }];
  const names: string[] = [];
  for (const { type, attribute } of indexes) {
    const schema = resolveSchema(session.edits.definitions, type);
    await editAttribute(session.edits, schema, attribute, { options, unset: [] });
    names.push(`${schema.uid} ${attribute}`);
  }
  return session.commit({ label: 'suggested indexes', json, text: names.join('\n') });
}
