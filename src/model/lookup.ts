import { createError } from '../errors/catalogue.js';
import type {
  Attribute,
  Component,
  ContentModel,
  ContentSchema,
  ContentType,
  LinkAttribute,
  RelationAttribute,
  Uid,
} from './model.js';

const missing = (what: string): Error =>
  createError('server/internal', {}, { cause: new TypeError(`The model has no ${what}`) });

/**
 * Returns the content type with a UID that the model must have.
 *
 * @throws `server/internal` if there is none, which is a mistake in the toolkit and not the client's
 */
export function typeOf({ typesByUid }: Pick<ContentModel, 'typesByUid'>, uid: Uid): ContentType {
  const type = typesByUid[uid];
  if (type === undefined) throw missing(`content type ${uid}`);
  return type;
}

/**
 * Returns the component with a UID that the model must have.
 *
 * @throws `server/internal` if there is none, which is a mistake in the toolkit and not the client's
 */
export function componentOf({ componentsByUid }: Pick<ContentModel, 'componentsByUid'>, uid: Uid): Component {
  const component = componentsByUid[uid];
  if (component === undefined) throw missing(`component ${uid}`);
  return component;
}

/**
 * Returns the attribute with a name that the schema must have.
 *
 * @throws `server/internal` if there is none, which is a mistake in the toolkit and not the client's
 */
export function attributeOf(schema: ContentSchema, name: string): Attribute {
  const attribute = Object.hasOwn(schema.attributes, name) ? schema.attributes[name] : undefined;
  if (attribute === undefined) throw missing(`attribute ${name} in ${schema.uid}`);
  return attribute;
}

/** Returns the tables of a type: its documents, their versions, and their links. */
export function tablesOf({ storage, attributes }: ContentType): readonly string[] {
  const links = Object.values(attributes).flatMap((attribute) => {
    const link = 'link' in attribute ? attribute.link : null;
    return link === null || link.kind === 'column' ? [] : [link.table];
  });
  return [storage.document.table, storage.version.table, ...new Set(links)];
}

/** Returns the types that a relation or media attribute may link. */
export function targetsOf(attribute: LinkAttribute): readonly Uid[] {
  if (attribute.target !== null) return [attribute.target];
  return attribute.family === 'relation' ? (attribute.targets ?? []) : [];
}

/** True if the server links the user who creates a document. */
export function linksCaller(
  attribute: Attribute | undefined,
): attribute is RelationAttribute & { readonly defaultsToCaller: true } {
  return attribute?.family === 'relation' && attribute.defaultsToCaller === true;
}

/** True if the server sets a value where a request has none. */
export function hasServerValue(attribute: Attribute): boolean {
  if (attribute.family !== 'scalar') return linksCaller(attribute);
  return attribute.default !== undefined || attribute.constraints.generate === true;
}

/**
 * Returns the relation or media attribute with a name that the schema must have.
 *
 * @throws `server/internal` if there is none, which is a mistake in the toolkit and not the client's
 */
export function linkAttributeOf(schema: ContentSchema, name: string): LinkAttribute {
  const attribute = attributeOf(schema, name);
  if (attribute.family === 'relation' || attribute.family === 'media') return attribute;
  throw missing(`relation ${name} in ${schema.uid}`);
}

/** True if a uid belongs to a built-in plugin that is disabled. */
export function isDisabled({ disabledPlugins }: Pick<ContentModel, 'disabledPlugins'>, uid: string): boolean {
  return disabledPlugins.some((name) => uid.startsWith(`plugin::${name}.`));
}

/** The target of a link inside a component. */
interface ComponentTarget {
  readonly type: Uid;
  readonly documentId: string;
}

/** Returns the prefix of stored targets of a type in polymorphic relations. */
export function targetPrefix(type: Uid): string {
  return `${type} `;
}

/** Returns a target in the JSON of components: its documentId, after its type in polymorphic relations. */
export function storedTarget({ target }: LinkAttribute, { type, documentId }: ComponentTarget): string {
  return target === null ? `${targetPrefix(type)}${documentId}` : documentId;
}

/** Parses text of {@link storedTarget}. Null: the text has another form. */
export function readStoredTarget({ target }: LinkAttribute, stored: string): ComponentTarget | null {
  if (target !== null) return { type: target, documentId: stored };
  const end = stored.indexOf(' ');
  return end < 0 ? null : { type: stored.slice(0, end), documentId: stored.slice(end + 1) };
}
