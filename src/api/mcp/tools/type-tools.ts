import type { ContentSchema, ContentType } from '../../../model/model.js';
import { hidesDrafts } from '../../../query/read-access.js';
import { isContentType } from '../../../query/schema-fields.js';
import { createError } from '../../../errors/catalogue.js';
import { defined } from '../../../lib/assert.js';
import { isRecord } from '../../../lib/records.js';
import { countNoun } from '../../../lib/text.js';
import { describeSchema } from '../describe-type.js';
import type { CutPointers } from '../fit-response.js';
import type { McpCall, SchemaPlan } from '../mcp-services.js';
import { assertConfirmation, issueConfirmation } from '../plans.js';
import {
  assertPermitted,
  isServedType,
  permittedActions,
  rightsOf,
  typeNamed,
  visibleAttributes,
  CONFIRM_ARGUMENT,
  textArgument,
  invalidArgument,
} from './tool.js';
import type { Tool, Arguments } from './tool.js';

/** Returns the limits of writes to drafts and to locales, so that a client need not run into them. */
const writeLimits = (call: McpCall, type: ContentType, permitted: readonly string[]) => {
  const { locales, status } =
    rightsOf(call).scopeOf?.(type.uid, permitted.includes('update') ? 'update' : 'create') ?? {};
  return {
    ...(status === undefined ? {} : { publishable: false }),
    ...(locales === undefined ? {} : { writableLocales: [...locales].join(' ') }),
  };
};

const summarizeType = (call: McpCall, type: ContentType) => {
  const isVisible = visibleAttributes(call, type);
  const names = Object.values(type.attributes).filter(
    (attribute) => !attribute.private && isVisible(attribute.name),
  );
  const permitted = permittedActions(call, type);
  return {
    uid: type.uid,
    name: type.singularName,
    kind: type.kind === 'singleType' ? 'single' : 'collection',
    ...(type.draftAndPublish ? { drafts: true } : {}),
    ...(type.localized ? { localized: true } : {}),
    ...(hidesDrafts(rightsOf(call), type) ? { draftsReadable: false } : {}),
    ...writeLimits(call, type, permitted),
    may: permitted.join(' '),
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

const CHANGE_SCHEMA = 'change_schema';

const DESCRIPTION = [
  'Change content-types and components in one migration. Always returns a plan first: file differences, SQL,',
  'and the effect on stored values. Changes, in order:',
  '{"action":"addType","name":"article","kind":"single"?,"draftAndPublish"?,"localized"?,"attributes":{…}},',
  '{"action":"addComponent","name":"shared.seo","attributes":{…}},',
  '{"action":"addAttributes","type":"article","attributes":{…}},',
  '{"action":"editAttribute","type","attribute","set":{"required":true},"unset":["default"]},',
  '{"action":"renameAttribute","type","attribute","to"}, {"action":"removeAttribute","type","attribute"},',
  '{"action":"editType","type","displayName"?,"draftAndPublish"?,"localized"?},',
  '{"action":"renameType","type","to","plural"?}, {"action":"removeType","type"}.',
  'Attributes are as in schema files: {"title":{"type":"string","required":true}}, or a shorthand:',
  '"string:required,maxLength=80", "relation:manyToOne,target=author,inversedBy=articles",',
  '"component:component=shared.seo", "media:allowedTypes=images", "uid:targetField=title",',
  '"enumeration:enum=a|b", "dynamiczone:components=blocks.quote|blocks.text".',
].join(' ');

const changesOf = ({ changes }: Arguments): readonly Readonly<Record<string, unknown>>[] => {
  const list: readonly unknown[] = Array.isArray(changes) ? changes : [];
  const records = list.filter(isRecord);
  if (records.length === list.length && list.length > 0) return records;
  throw invalidArgument(CHANGE_SCHEMA, 'changes', {
    reason: 'must be a list of at least one object',
    remedy: 'Send [{"action":"addType","name":"article","attributes":{"title":"string:required"}}].',
  });
};

const summaryOf = ({ files, impact, isDestructive }: SchemaPlan): string => {
  const effects = impact.length === 0 ? 'no stored value changes' : countNoun(impact.length, 'effect');
  const warning = isDestructive ? ' Stored values are lost or become invalid: ask first.' : '';
  return `Would change ${countNoun(files.length, 'file')}; ${effects}.${warning}`;
};

const changeSchema: Tool = {
  name: CHANGE_SCHEMA,
  title: 'Change content-types',
  description: DESCRIPTION,
  properties: {
    changes: { type: 'array', items: { type: 'object' }, description: 'The changes, in order.' },
    confirm: CONFIRM_ARGUMENT,
  },
  required: ['changes'],
  effect: 'destroys',
  isAvailable: ({ schemas }) => schemas !== null,
  run: async (call, args) => {
    const schemas = defined(call.abilities.schemas, 'The schema editor');
    if (call.caller.grants.kind !== 'all')
      throw createError('mcp/forbidden', {
        action: 'change',
        type: 'content-types',
        permission: 'full access',
      });
    const changes = changesOf(args);
    const plan = await schemas.plan(changes);
    const planned = { tool: CHANGE_SCHEMA, args, state: plan.state };
    if (args['confirm'] === undefined) {
      const { files, sql, impact } = plan;
      const confirm = issueConfirmation(call, planned);
      const next = `Call ${CHANGE_SCHEMA} with the same changes and confirm.`;
      return { body: { plan: summaryOf(plan), impact, files, sql, confirm, next } };
    }
    assertConfirmation(call, planned);
    const applied = await schemas.apply(changes, plan.state);
    if (applied === null) throw createError('mcp/plan-changed', { tool: CHANGE_SCHEMA, minutes: 30 });
    const { files, migration } = applied;
    return { body: { done: `Changed ${countNoun(files.length, 'file')}.`, files, migration } };
  },
};

export const SCHEMA_TOOLS: readonly Tool[] = [changeSchema];
