import type { FastifyRequest } from 'fastify';
import { createError } from '../../errors/catalogue.js';
import { isRecord } from '../../lib/records.js';
import { FILE_UID } from '../../model/content-types/builtin-types.js';
import type {
  AttributeDefinition,
  ComponentDefinition,
  ContentTypeDefinition,
  Definitions,
} from '../../model/content-types/definition.js';
import { sendJson } from './envelope.js';
import { queryOf } from './handler.js';
import type { Handler } from './handler.js';
import type { SchemaOperation } from './routes/rest-routes.js';

type JsonObject = Readonly<Record<string, unknown>>;

const BUILDER = 'content-type-builder';

/** Built-in types that Strapi hides from the builder of types. */
const HIDDEN: JsonObject = { 'content-manager': { visible: false }, [BUILDER]: { visible: false } };
const HIDDEN_UIDS: ReadonlySet<string> = new Set([
  FILE_UID,
  'plugin::users-permissions.role',
  'plugin::users-permissions.permission',
]);

/** Formats an attribute. Media and relations print defaults that other attributes omit. */
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

/** True if a type can be requested by its uid. Lists also contain types that cannot. */
function isVisible(type: ContentTypeDefinition): boolean {
  const options = pluginOptionsOf(type)[BUILDER];
  return !isRecord(options) || options['visible'] === undefined || options['visible'] === true;
}

/** Returns a content-type in Strapi's format. */
function formatContentType(type: ContentTypeDefinition): JsonObject {
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

/** Returns a component in Strapi's format. */
function formatComponent(component: ComponentDefinition): JsonObject {
  const { uid, category, name, displayName, description, icon, collectionName, attributes } = component;
  return {
    uid,
    category,
    apiId: name,
    schema: { displayName, description, icon, collectionName, attributes: formatAttributes(attributes) },
  };
}

const KINDS: readonly unknown[] = [undefined, 'singleType', 'collectionType'];

const uidOf = (request: FastifyRequest): string => (request.params as { readonly uid: string }).uid;

const handler =
  (dataOf: (request: FastifyRequest) => unknown): Handler =>
  async (request, reply) => {
    const data = dataOf(request);
    if (data === null) throw createError('request/not-found');
    return sendJson(reply, 200, JSON.stringify({ data }));
  };

/** Returns the handlers that describe content-types and components, as Strapi's content-type builder does. */
export function schemaHandlers({
  types,
  components,
}: Pick<Definitions, 'types' | 'components'>): Readonly<Record<SchemaOperation, Handler>> {
  return {
    getContentTypes: handler((request) => {
      const { kind } = queryOf(request);
      if (!KINDS.includes(kind))
        throw createError('request/invalid-parameter', {
          parameter: 'kind',
          reason: 'it must be singleType or collectionType.',
        });
      return types.filter((type) => kind === undefined || type.kind === kind).map(formatContentType);
    }),
    getContentType: handler((request) => {
      const type = types.find(({ uid }) => uid === uidOf(request));
      return type !== undefined && isVisible(type) ? formatContentType(type) : null;
    }),
    getComponents: handler(() => components.map(formatComponent)),
    getComponent: handler((request) => {
      const component = components.find(({ uid }) => uid === uidOf(request));
      return component === undefined ? null : formatComponent(component);
    }),
  };
}
