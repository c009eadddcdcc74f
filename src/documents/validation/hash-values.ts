import { createError } from '../../errors/catalogue.js';
import { isRecord } from '../../lib/is-record.js';
import type { StoredScalar } from '../../lib/stored-value.js';
import type { Attribute, ContentSchema, ContentModel, ScalarAttribute } from '../../model/model.js';
import type { HashedValues } from './input.js';

/** The most passwords in one write. Hashing one takes up to 100 ms. */
const HASH_LIMIT = 20;

type PlainValues = Map<string, { readonly attribute: ScalarAttribute; readonly values: Set<string> }>;

const addPlainValue = (plainValues: PlainValues, attribute: ScalarAttribute, value: unknown): void => {
  if (
    attribute.field.hash === undefined ||
    typeof value !== 'string' ||
    !attribute.field.parse(value, attribute.constraints, 'full').ok
  )
    return;
  const collected = plainValues.get(attribute.type) ?? { attribute, values: new Set<string>() };
  collected.values.add(value);
  plainValues.set(attribute.type, collected);
  if (collected.values.size > HASH_LIMIT) throw createError('request/too-many-items', { limit: HASH_LIMIT });
};

const componentUid = (attribute: Attribute, item: Readonly<Record<string, unknown>>): unknown =>
  attribute.family === 'component' ? attribute.component : item['__component'];

const collectPlainValues = (
  model: ContentModel,
  plainValues: PlainValues,
  schema: ContentSchema,
  data: Readonly<Record<string, unknown>>,
): void => {
  for (const key of Object.keys(data)) {
    const attribute = Object.hasOwn(schema.attributes, key) ? schema.attributes[key] : undefined;
    if (attribute?.family === 'scalar') addPlainValue(plainValues, attribute, data[key]);
    if (attribute?.family !== 'component' && attribute?.family !== 'dynamiczone') continue;
    const value = data[key];
    for (const item of Array.isArray(value) ? value : [value]) {
      const uid = isRecord(item) ? componentUid(attribute, item) : undefined;
      const component =
        typeof uid === 'string' && Object.hasOwn(model.componentsByUid, uid)
          ? model.componentsByUid[uid]
          : undefined;
      if (component !== undefined && isRecord(item)) collectPlainValues(model, plainValues, component, item);
    }
  }
};

/** Hashes every valid password in the data. One after the other, because each hash occupies a core. */
export async function hashValues(
  model: ContentModel,
  schema: ContentSchema,
  data: Readonly<Record<string, unknown>>,
): Promise<HashedValues> {
  const plainValues: PlainValues = new Map();
  collectPlainValues(model, plainValues, schema, data);
  const hashed = new Map<string, ReadonlyMap<string, StoredScalar>>();
  for (const [type, { attribute, values }] of plainValues) {
    const hashes = new Map<string, StoredScalar>();
    for (const value of values) hashes.set(value, (await attribute.field.hash?.(value)) ?? value);
    hashed.set(type, hashes);
  }
  return hashed;
}
