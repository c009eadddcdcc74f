import type { ContentSchema, ContentType } from '../../../model/model.js';
import { hidesDrafts } from '../../../query/read-access.js';
import { isContentType } from '../../../query/schema-fields.js';
import { describeSchema } from '../describe-type.js';
import type { CutPointers } from '../fit-response.js';
import type { McpCall } from '../mcp-services.js';
import {
  assertPermitted,
  isServedType,
  permittedActions,
  rightsOf,
  typeNamed,
  visibleAttributes,
} from './targets.js';
import { textArgument } from './tool.js';
import type { Tool } from './tool.js';

const summarizeType = (call: McpCall, type: ContentType) => {
  const isVisible = visibleAttributes(call, type);
  const names = Object.values(type.attributes).filter(
    (attribute) => !attribute.private && isVisible(attribute.name),
  );
  return {
    uid: type.uid,
    name: type.singularName,
    kind: type.kind === 'singleType' ? 'single' : 'collection',
    ...(type.draftAndPublish ? { drafts: true } : {}),
    ...(type.localized ? { localized: true } : {}),
    ...(hidesDrafts(rightsOf(call), type) ? { draftsReadable: false } : {}),
    may: permittedActions(call, type).join(' '),
    attributes: names.map(({ name }) => name).join(' '),
  };
};

const TYPE_POINTERS: CutPointers = {
  valueAt: (path) => `describe_type with the uid at ${path.join('.')}`,
  itemsAt: (_path, next) => `list_types {"start":${next}}`,
};

const listTypes: Tool = {
  name: 'list_types',
  title: 'List content-types',
  description:
    'List the content-types with their attributes and the actions permitted to you, the components, and ' +
    'the locales. Start here.',
  properties: { start: { type: 'integer', minimum: 0, description: 'Number of types to skip.' } },
  required: [],
  effect: 'reads',
  run: async (call, { start = 0 }) => {
    const { model, access } = call.services;
    const types = model.types.filter((type) => isServedType(type) && permittedActions(call, type).length > 0);
    const locales = access.locales
      .all()
      .map(({ code, isDefault }) => (isDefault ? `${code} (default)` : code));
    const body = {
      locales: locales.join(', '),
      components: Object.keys(model.componentsByUid).join(' '),
      types: types.slice(Number(start)).map((type) => summarizeType(call, type)),
    };
    const skipped = Number(start);
    return {
      body,
      pointers: {
        ...TYPE_POINTERS,
        itemsAt: (path, next) => TYPE_POINTERS.itemsAt(path, skipped + next),
      },
    };
  },
};

const WRITING_NOTES = {
  relation: 'documentId, null, or {"connect":[…],"disconnect":[…],"set":[…]} with documentIds',
  media: 'id of a file (find plugin::upload.file, or upload), or a list of ids',
  component: 'object, or list if repeatable; keep the id of an item to update it',
  dynamiczone: 'list of objects, each with __component',
};

const notesFor = (schema: ContentSchema): Readonly<Record<string, string>> => {
  const families = new Set(Object.values(schema.attributes).map(({ family }) => String(family)));
  return Object.fromEntries(Object.entries(WRITING_NOTES).filter(([family]) => families.has(family)));
};

/** Returns the type or component of a name. */
const schemaNamed = (call: McpCall, name: string): ContentSchema => {
  const components = Object.values(call.services.model.componentsByUid);
  return (
    components.find(({ uid }) => uid === name) ??
    components.find((component) => component.name === name && !name.includes('::')) ??
    typeNamed(call, name)
  );
};

const describeType: Tool = {
  name: 'describe_type',
  title: 'Describe a content-type',
  description:
    'Describe a content-type or a component: attributes with types, constraints and relations, and example ' +
    'data for create.',
  properties: {
    type: {
      type: 'string',
      description: 'Content-type or component: api::article.article, article, shared.seo.',
    },
    attributes: {
      type: 'array',
      items: { type: 'string' },
      description: 'Only these attributes.',
    },
  },
  required: ['type'],
  effect: 'reads',
  run: async (call, args) => {
    const { model, definitions } = call.services;
    const schema = schemaNamed(call, textArgument(args, 'type') ?? '');
    const { attributes } = args;
    const names = Array.isArray(attributes) ? new Set(attributes.map(String)) : null;
    const isNamed = (name: string): boolean => names === null || names.has(name);
    const isContent = isContentType(schema);
    if (isContent && permittedActions(call, schema).length === 0) assertPermitted(call, schema, 'find');
    const isVisible = isContent ? visibleAttributes(call, schema) : () => true;
    return {
      body: {
        ...describeSchema(model, definitions, schema, (name) => isNamed(name) && isVisible(name)),
        ...(isContent ? { may: permittedActions(call, schema).join(' ') } : {}),
        values: notesFor(schema),
      },
      pointers: {
        valueAt: (path) =>
          `describe_type ${JSON.stringify({ type: schema.uid, attributes: path.slice(1, 2) })}`,
        itemsAt: (path) =>
          `describe_type ${JSON.stringify({ type: schema.uid, attributes: path.slice(1, 2) })}`,
      },
    };
  },
};

export const TYPE_TOOLS: readonly Tool[] = [listTypes, describeType];
