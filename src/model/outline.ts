import type { Attribute, ContentModel } from './model.js';

/** The properties of a type or component that matter for reading and writing content. */
export interface SchemaOutline {
  /** The kind and options of a type as text: `collectionType, draftAndPublish`. Empty for a component. */
  readonly kind: string;
  /** The type of each attribute, with its target or components. */
  readonly attributes: Readonly<Record<string, string>>;
}

/** Outlines of types and components by uid. */
export type ModelOutline = Readonly<Record<string, SchemaOutline>>;

const joinWords = (...parts: readonly (string | false | null)[]): string =>
  parts.filter((part) => typeof part === 'string' && part !== '').join(' ');

const outlineAttribute = (attribute: Attribute): string => {
  switch (attribute.family) {
    case 'scalar':
      return joinWords(attribute.type, attribute.localized && 'localized');
    case 'relation':
      return joinWords(attribute.relation, attribute.target);
    case 'media':
      return joinWords('media', attribute.many && 'multiple');
    case 'component':
      return joinWords('component', attribute.component, attribute.repeatable && 'repeatable');
    case 'dynamiczone':
      return joinWords('dynamiczone', ...attribute.components);
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
  /** For messages: `price is decimal here and integer there`. */
  readonly reasons: readonly string[];
  /** True if the schema is missing or of another kind, so that its content cannot be exchanged. */
  readonly isFundamental: boolean;
}

const compareAttributes = (local: SchemaOutline, other: SchemaOutline): readonly string[] => {
  const names = new Set([...Object.keys(local.attributes), ...Object.keys(other.attributes)]);
  return [...names].flatMap((name) => {
    const [here, there] = [local.attributes[name], other.attributes[name]];
    if (here === there) return [];
    if (there === undefined) return [`${name} is missing there`];
    return [here === undefined ? `${name} is only there` : `${name} is ${here} here and ${there} there`];
  });
};

/** Returns the difference between a schema of this project and that of another one. Null: they agree. */
export function compareSchemas(
  uid: string,
  local: SchemaOutline,
  other: SchemaOutline | undefined,
): SchemaDifference | null {
  if (other === undefined) return { uid, reasons: ['it is missing there'], isFundamental: true };
  if (local.kind !== other.kind)
    return { uid, reasons: [`it is ${local.kind} here and ${other.kind} there`], isFundamental: true };
  const reasons = compareAttributes(local, other);
  return reasons.length === 0 ? null : { uid, reasons, isFundamental: false };
}
