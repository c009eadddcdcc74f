import type { FieldType, Parsed } from '../fields/field-type.js';
import { FIELD_TYPES } from '../fields/registry.js';
import type { ColumnKind, StoredScalar } from '../lib/stored-value.js';
import type { Attribute, AttributeHolder, ContentType } from '../model/model.js';

/** A scalar attribute or a system field, as filters and sorts need it. */
export interface ComparableField {
  readonly name: string;
  readonly kind: ColumnKind;
  readonly sortable: boolean;
  readonly parse: (input: unknown) => Parsed<StoredScalar>;
}

/** The other locales' versions, under the name that populates them. */
export const LOCALIZATIONS = 'localizations';

/** The documents that show a file, under the name that populates them. Nothing else names it: it is no attribute. */
export const RELATED = 'related';

export function isContentType(holder: AttributeHolder): holder is ContentType {
  return 'storage' in holder;
}

const comparable = (name: string, type: FieldType): ComparableField => ({ name, kind: type.column, sortable: type.sortable, parse: type.parseFilter });

const COMPONENT_FIELDS: readonly ComparableField[] = [comparable('id', FIELD_TYPES.integer)];

const TYPE_FIELDS: readonly ComparableField[] = [
  ...COMPONENT_FIELDS,
  comparable('documentId', FIELD_TYPES.string),
  comparable('createdAt', FIELD_TYPES.datetime),
  comparable('updatedAt', FIELD_TYPES.datetime),
  comparable('publishedAt', FIELD_TYPES.datetime),
];

const LOCALIZED_FIELDS: readonly ComparableField[] = [...TYPE_FIELDS, comparable('locale', FIELD_TYPES.string)];

const systemFields = (holder: AttributeHolder): readonly ComparableField[] => {
  if (!isContentType(holder)) return COMPONENT_FIELDS;
  return holder.localized ? LOCALIZED_FIELDS : TYPE_FIELDS;
};

/** Always answered, so naming them in `fields` adds nothing. */
export const ALWAYS_ANSWERED: ReadonlySet<string> = new Set(['id', 'documentId']);

const isReadable = (attribute: Attribute): boolean =>
  !attribute.private && !(attribute.family === 'scalar' && !attribute.field.filterable);

/** The attribute of that name, if the API shows it. Private and password attributes are as good as unknown. */
export function readableAttribute(holder: AttributeHolder, name: string): Attribute | null {
  const attribute = Object.hasOwn(holder.attributes, name) ? holder.attributes[name] : undefined;
  return attribute !== undefined && isReadable(attribute) ? attribute : null;
}

/** The scalar attribute or system field of that name, if the API shows it. */
export function comparableField(holder: AttributeHolder, name: string): ComparableField | null {
  const attribute = readableAttribute(holder, name);
  if (attribute === null) return systemFields(holder).find((field) => field.name === name) ?? null;
  return attribute.family === 'scalar' ? comparable(name, attribute.field) : null;
}

const remember = <Value>(compute: (holder: AttributeHolder) => Value): ((holder: AttributeHolder) => Value) => {
  const known = new WeakMap<AttributeHolder, Value>();
  return (holder) => {
    const before = known.get(holder);
    if (before !== undefined) return before;
    const value = compute(holder);
    known.set(holder, value);
    return value;
  };
};

/** What `fields` may name and what is answered without it, in model order: scalars the API shows, then the system fields. */
export const selectableFields: (holder: AttributeHolder) => readonly string[] = remember((holder) => {
  const scalars = Object.values(holder.attributes).filter((attribute) => attribute.family === 'scalar' && isReadable(attribute));
  const system = systemFields(holder).map((field) => field.name).filter((name) => !ALWAYS_ANSWERED.has(name));
  return Object.freeze([...scalars.map((attribute) => attribute.name), ...system]);
});

/** What `populate` may name, in model order, `localizations` last. */
export const populatableNames: (holder: AttributeHolder) => readonly string[] = remember((holder) => {
  const names = Object.values(holder.attributes).filter((attribute) => attribute.family !== 'scalar' && isReadable(attribute)).map((attribute) => attribute.name);
  const localizations = isContentType(holder) && holder.localized && !Object.hasOwn(holder.attributes, LOCALIZATIONS);
  return Object.freeze(localizations ? [...names, LOCALIZATIONS] : names);
});

/** What `filters` and `sort` may name; only for suggestions in messages. */
export function comparableNames(holder: AttributeHolder): readonly string[] {
  const readable = Object.values(holder.attributes).filter(isReadable).map((attribute) => attribute.name);
  return [...readable, ...systemFields(holder).map((field) => field.name)];
}
