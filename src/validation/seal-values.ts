import { fail } from '../errors/catalogue.js';
import { isRecord } from '../lib/is-record.js';
import type { StoredScalar } from '../lib/stored-value.js';
import type { Attribute, AttributeHolder, ContentModel, ScalarAttribute } from '../model/model.js';
import type { SealedValues } from './input.js';

/** Most passwords in one write; each costs a good part of a tenth of a second. */
const SEAL_LIMIT = 20;

type Plain = Map<string, { readonly attribute: ScalarAttribute; readonly values: Set<string> }>;

const addScalar = (plain: Plain, attribute: ScalarAttribute, value: unknown): void => {
  if (attribute.field.seal === undefined || typeof value !== 'string' || !attribute.field.parse(value, attribute.constraints, 'full').ok) return;
  const known = plain.get(attribute.type) ?? { attribute, values: new Set<string>() };
  known.values.add(value);
  plain.set(attribute.type, known);
  if (known.values.size > SEAL_LIMIT) throw fail('request/too-many-items', { limit: SEAL_LIMIT });
};

const componentUid = (attribute: Attribute, item: Readonly<Record<string, unknown>>): unknown =>
  attribute.family === 'component' ? attribute.component : item['__component'];

const collectHolder = (model: ContentModel, plain: Plain, holder: AttributeHolder, data: Readonly<Record<string, unknown>>): void => {
  for (const key of Object.keys(data)) {
    const attribute = Object.hasOwn(holder.attributes, key) ? holder.attributes[key] : undefined;
    if (attribute?.family === 'scalar') addScalar(plain, attribute, data[key]);
    if (attribute?.family !== 'component' && attribute?.family !== 'dynamiczone') continue;
    const value = data[key];
    for (const item of Array.isArray(value) ? value : [value]) {
      const uid = isRecord(item) ? componentUid(attribute, item) : undefined;
      const component = typeof uid === 'string' && Object.hasOwn(model.componentsByUid, uid) ? model.componentsByUid[uid] : undefined;
      if (component !== undefined && isRecord(item)) collectHolder(model, plain, component, item);
    }
  }
};

/** Hashes every password in the data that will pass the checks; one after the other, since each takes a core. */
export async function sealValues(model: ContentModel, holder: AttributeHolder, data: Readonly<Record<string, unknown>>): Promise<SealedValues> {
  const plain: Plain = new Map();
  collectHolder(model, plain, holder, data);
  const sealed = new Map<string, ReadonlyMap<string, StoredScalar>>();
  for (const [type, { attribute, values }] of plain) {
    const hashes = new Map<string, StoredScalar>();
    for (const value of values) hashes.set(value, (await attribute.field.seal?.(value)) ?? value);
    sealed.set(type, hashes);
  }
  return sealed;
}
