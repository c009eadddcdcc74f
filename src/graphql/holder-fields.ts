import { FILE_UID } from '../content-types/builtin/registry.js';
import type { Attribute, AttributeHolder, ContentType } from '../model/model.js';
import { isContentType, LOCALIZATIONS, RELATED } from '../query/holder-fields.js';
import { fieldNameOf } from './names.js';

/** Where the value of an output field comes from. */
export type FieldSource =
  /** Part of every record or of `fields`. */
  | { readonly kind: 'scalar'; readonly attribute: string }
  /** There to be named, but always null: passwords. */
  | { readonly kind: 'hidden' }
  /** Populated: one record, a list, or a list under `nodes`. */
  | { readonly kind: 'populate'; readonly attribute: string; readonly form: 'one' | 'list' | 'connection' };

/** The key under which a populated field is read: the attribute's, or one of its own where the answer is named otherwise. */
export function populateKeyOf(attribute: string, responseKey: string): string {
  return responseKey === attribute ? attribute : `@${responseKey}`;
}

const isMany = (attribute: Attribute): boolean => {
  switch (attribute.family) {
    case 'relation': case 'media': return attribute.many;
    case 'component': return attribute.repeatable;
    case 'dynamiczone': return false;
    default: return false;
  }
};

const isDocuments = (attribute: Attribute): boolean =>
  attribute.family === 'media' || (attribute.family === 'relation' && attribute.target !== null);

const addAttribute = (sources: Map<string, FieldSource>, attribute: Attribute): void => {
  const name = fieldNameOf(attribute.name);
  if (name === null || attribute.private || sources.has(name)) return;
  if (attribute.family === 'scalar') {
    sources.set(name, attribute.field.filterable ? { kind: 'scalar', attribute: attribute.name } : { kind: 'hidden' });
    return;
  }
  const listed = isMany(attribute);
  sources.set(name, { kind: 'populate', attribute: attribute.name, form: listed ? 'list' : 'one' });
  if (listed && isDocuments(attribute)) sources.set(`${name}_connection`, { kind: 'populate', attribute: attribute.name, form: 'connection' });
};

const SYSTEM_FIELDS = ['createdAt', 'updatedAt', 'publishedAt'];

const addSystemFields = (sources: Map<string, FieldSource>, type: ContentType): void => {
  for (const name of SYSTEM_FIELDS) sources.set(name, { kind: 'scalar', attribute: name });
  if (!type.localized) return;
  sources.set('locale', { kind: 'scalar', attribute: 'locale' });
  if (Object.hasOwn(type.attributes, LOCALIZATIONS)) return;
  sources.set(LOCALIZATIONS, { kind: 'populate', attribute: LOCALIZATIONS, form: 'list' });
  sources.set(`${LOCALIZATIONS}_connection`, { kind: 'populate', attribute: LOCALIZATIONS, form: 'connection' });
};

const known = new WeakMap<AttributeHolder, ReadonlyMap<string, FieldSource>>();

/** The output fields of a type or component by their GraphQL names, its own id left out. */
export function fieldSourcesOf(holder: AttributeHolder): ReadonlyMap<string, FieldSource> {
  const before = known.get(holder);
  if (before !== undefined) return before;
  const sources = new Map<string, FieldSource>();
  for (const attribute of Object.values(holder.attributes)) addAttribute(sources, attribute);
  if (isContentType(holder)) addSystemFields(sources, holder);
  if (holder.uid === FILE_UID) sources.set(RELATED, { kind: 'populate', attribute: RELATED, form: 'one' });
  known.set(holder, sources);
  return sources;
}

/** The attribute that an input field or filter means; undefined where it is no attribute. */
export function attributeOfField(holder: AttributeHolder, name: string): Attribute | undefined {
  const direct = Object.hasOwn(holder.attributes, name) ? holder.attributes[name] : undefined;
  return direct ?? Object.values(holder.attributes).find((attribute) => fieldNameOf(attribute.name) === name);
}
