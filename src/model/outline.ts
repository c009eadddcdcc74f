import type { Attribute, ContentModel } from './model.js';

/** The properties of a type or component that matter for reading and writing content. */
export interface SchemaOutline {
  /**
   * The kind and options of a type, in words that are compared: `collectionType, draftAndPublish`. Empty: a
   * component.
   */
  readonly kind: string;
  /** The type of each attribute, with what it links or holds. */
  readonly attributes: Readonly<Record<string, string>>;
}

/** Outlines of types and components by uid. */
export type ModelOutline = Readonly<Record<string, SchemaOutline>>;

const words = (...parts: readonly (string | false | null)[]): string =>
  parts.filter((part) => typeof part === 'string' && part !== '').join(' ');

const outlineAttribute = (attribute: Attribute): string => {
  switch (attribute.family) {
    case 'scalar':
      return words(attribute.type, attribute.localized && 'localized');
    case 'relation':
      return words(attribute.relation, attribute.target);
    case 'media':
      return words('media', attribute.many && 'multiple');
    case 'component':
      return words('component', attribute.component, attribute.repeatable && 'repeatable');
    case 'dynamiczone':
      return words('dynamiczone', ...attribute.components);
  }
};

const outlineAttributes = (attributes: Readonly<Record<string, Attribute>>): SchemaOutline['attributes'] =>
  Object.fromEntries(
    Object.values(attributes)
      .filter((attribute) => !attribute.private)
      .map((attribute) => [attribute.name, outlineAttribute(attribute)]),
  );

/** Returns the properties of a model that two projects must share to exchange content. */
export function outlineModel({ types, componentsByUid }: ContentModel): ModelOutline {
  const ofTypes = types.map(({ uid, kind, draftAndPublish, localized, attributes }) => [
    uid,
    {
      kind: [kind, ...(draftAndPublish ? ['draftAndPublish'] : []), ...(localized ? ['localized'] : [])].join(
        ', ',
      ),
      attributes: outlineAttributes(attributes),
    },
  ]);
  const ofComponents = Object.values(componentsByUid).map(({ uid, attributes }) => [
    uid,
    { kind: '', attributes: outlineAttributes(attributes) },
  ]);
  return Object.fromEntries([...ofTypes, ...ofComponents]) as ModelOutline;
}

/** The differences of a schema in another project. */
export interface SchemaDifference {
  readonly uid: string;
  /** In words: `price is decimal here and integer there`. */
  readonly reasons: readonly string[];
  /** True if it is another kind of type, or none, so that its content cannot be exchanged. */
  readonly isFundamental: boolean;
}

const compareAttributes = (own: SchemaOutline, other: SchemaOutline): readonly string[] => {
  const names = new Set([...Object.keys(own.attributes), ...Object.keys(other.attributes)]);
  return [...names].flatMap((name) => {
    const [here, there] = [own.attributes[name], other.attributes[name]];
    if (here === there) return [];
    if (there === undefined) return [`${name} is missing there`];
    return [here === undefined ? `${name} is only there` : `${name} is ${here} here and ${there} there`];
  });
};

/** Compares one schema of this project with that of another one. Null: they agree. */
export function compareSchemas(
  uid: string,
  own: SchemaOutline,
  other: SchemaOutline | undefined,
): SchemaDifference | null {
  if (other === undefined) return { uid, reasons: ['it is missing there'], isFundamental: true };
  if (own.kind !== other.kind)
    return { uid, reasons: [`it is ${own.kind} here and ${other.kind} there`], isFundamental: true };
  const reasons = compareAttributes(own, other);
  return reasons.length === 0 ? null : { uid, reasons, isFundamental: false };
}
