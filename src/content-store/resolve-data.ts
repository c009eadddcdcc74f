import { isRecord } from '../lib/is-record.js';
import { componentOf } from '../model/lookup.js';
import type { Attribute, ContentModel, ContentSchema } from '../model/model.js';
import type { ContentStore } from './content-store.js';
import { resolveReferences } from './references.js';
import type { Reference } from './references.js';

type Data = Readonly<Record<string, unknown>>;

/** Called for each text that names a linked document. Returns what takes its place. */
type Replace = (reference: Reference) => unknown;

const replaceLink = (attribute: Attribute, value: unknown, path: string, replace: Replace): unknown => {
  if (attribute.family !== 'relation' && attribute.family !== 'media') return value;
  const { target } = attribute;
  // Values of polymorphic relations are objects, since they name their type.
  if (target === null) return value;
  // Files may also be named by their numeric id.
  const isName = (item: unknown): item is string =>
    typeof item === 'string' && !(attribute.family === 'media' && /^\d+$/.test(item));
  const replaceOne = (item: unknown, at: string): unknown =>
    isName(item) ? replace({ type: target, name: item, path: at }) : item;
  return Array.isArray(value)
    ? value.map((item: unknown, index) => replaceOne(item, `${path}.${index}`))
    : replaceOne(value, path);
};

const replaceNested = (
  model: ContentModel,
  attribute: Attribute,
  { value, path, replace }: { readonly value: unknown; readonly path: string; readonly replace: Replace },
): unknown => {
  if (Array.isArray(value))
    return value.map((item: unknown, index) =>
      replaceNested(model, attribute, { value: item, path: `${path}.${index}`, replace }),
    );
  if (!isRecord(value)) return value;
  const uid = attribute.family === 'component' ? attribute.component : value['__component'];
  if (typeof uid !== 'string' || !Object.hasOwn(model.componentsByUid, uid)) return value;
  return replaceIn(model, componentOf(model, uid), { data: value, path, replace });
};

const replaceIn = (
  model: ContentModel,
  schema: ContentSchema,
  { data, path, replace }: { readonly data: Data; readonly path: string; readonly replace: Replace },
): Data =>
  Object.fromEntries(
    Object.entries(data).map(([name, value]) => {
      const attribute = Object.hasOwn(schema.attributes, name) ? schema.attributes[name] : undefined;
      const at = path === '' ? name : `${path}.${name}`;
      if (attribute === undefined) return [name, value];
      const isNested = attribute.family === 'component' || attribute.family === 'dynamiczone';
      return [
        name,
        isNested
          ? replaceNested(model, attribute, { value, path: at, replace })
          : replaceLink(attribute, value, at, replace),
      ];
    }),
  );

/**
 * Replaces the texts that name linked documents and files by their documentIds, in components too: a
 * documentId, or the value of a uid or a unique attribute.
 *
 * @throws `content/unknown-reference`, `content/ambiguous-reference`
 */
export async function resolveData(store: ContentStore, schema: ContentSchema, data: Data): Promise<Data> {
  const references: Reference[] = [];
  replaceIn(store.model, schema, { data, path: '', replace: (reference) => references.push(reference) });
  if (references.length === 0) return data;
  const { documentIdOf } = await resolveReferences(store, references);
  return replaceIn(store.model, schema, { data, path: '', replace: documentIdOf });
}

/** Replaces what names a linked document or file in data, in components too. */
export function replaceReferences(
  model: ContentModel,
  schema: ContentSchema,
  data: Data,
  replace: Replace,
): Data {
  return replaceIn(model, schema, { data, path: '', replace });
}
