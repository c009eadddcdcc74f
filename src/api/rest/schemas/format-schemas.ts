import { FILE_UID } from '../../../model/content-types/builtin/registry.js';
import type {
  AttributeDefinition,
  ComponentDefinition,
  ContentTypeDefinition,
} from '../../../model/content-types/definition.js';
import { isRecord } from '../../../lib/is-record.js';

type JsonObject = Readonly<Record<string, unknown>>;

const BUILDER = 'content-type-builder';

/** Built-in types that Strapi hides from the builder of types. */
const HIDDEN: JsonObject = { 'content-manager': { visible: false }, [BUILDER]: { visible: false } };
const HIDDEN_UIDS: ReadonlySet<string> = new Set([
  FILE_UID,
  'plugin::users-permissions.role',
  'plugin::users-permissions.permission',
]);

/** Media and relations state what other attributes leave out. */
const formatAttribute = ({ type, options }: AttributeDefinition): JsonObject => {
  const isPrivate = options['private'] === true;
  const { configurable, ...others } = options;
  const fixed = configurable === false ? { configurable } : {};
  if (type === 'media')
    return {
      type,
      multiple: options['multiple'] === true,
      required: options['required'] === true,
      ...fixed,
      private: isPrivate,
      allowedTypes: options['allowedTypes'],
      pluginOptions: options['pluginOptions'],
    };
  if (type === 'relation')
    return {
      type,
      ...others,
      ...fixed,
      targetAttribute: options['inversedBy'] ?? options['mappedBy'] ?? null,
      private: isPrivate,
    };
  return { type, ...options };
};

const formatAttributes = (attributes: readonly AttributeDefinition[]): JsonObject =>
  Object.fromEntries(attributes.map((attribute) => [attribute.name, formatAttribute(attribute)]));

const pluginOptionsOf = ({ uid, pluginOptions }: ContentTypeDefinition): JsonObject =>
  HIDDEN_UIDS.has(uid) ? { ...HIDDEN, ...pluginOptions } : pluginOptions;

/** True if a type can be asked for by its uid. Lists hold those that cannot, too. */
export function isVisible(type: ContentTypeDefinition): boolean {
  const options = pluginOptionsOf(type)[BUILDER];
  return !isRecord(options) || options['visible'] === undefined || options['visible'] === true;
}

/** Describes a content-type in Strapi's form. */
export function formatContentType(type: ContentTypeDefinition): JsonObject {
  const { uid, kind, collectionName, singularName, pluralName, displayName, description } = type;
  const plugin = /^plugin::([^.]+)\./.exec(uid)?.[1];
  const visible = isVisible(type);
  const pluginOptions = pluginOptionsOf(type);
  const hasPluginOptions = plugin === undefined || Object.keys(pluginOptions).length > 0;
  return {
    uid,
    ...(plugin === undefined ? {} : { plugin }),
    apiID: singularName,
    schema: {
      ...type.options,
      draftAndPublish: type.draftAndPublish,
      displayName,
      singularName,
      pluralName,
      description,
      ...(hasPluginOptions ? { pluginOptions } : {}),
      kind,
      collectionName,
      attributes: formatAttributes(type.attributes),
      visible,
      restrictRelationsTo: visible ? null : [],
    },
  };
}

/** Describes a component in Strapi's form. */
export function formatComponent(component: ComponentDefinition): JsonObject {
  const { uid, category, name, displayName, description, icon, collectionName, attributes } = component;
  return {
    uid,
    category,
    apiId: name,
    schema: { displayName, description, icon, collectionName, attributes: formatAttributes(attributes) },
  };
}
