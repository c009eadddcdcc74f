import { createError } from '../../../errors/catalogue.js';
import type { GalleyError } from '../../../errors/galley-error.js';
import type { JsonSchema } from '../../../lib/json.js';
import { didYouMean } from '../../../lib/nearest.js';
import { isRecord } from '../../../lib/records.js';
import { permissionOf } from '../../../access/permissions/actions.js';
import type { DocumentAction } from '../../../access/permissions/actions.js';
import { isGranted } from '../../../access/permissions/authorise.js';
import { FILE_UID } from '../../../model/content-types/builtin-types.js';
import type { ContentType, VersionStatus } from '../../../model/model.js';
import { parseLocale, sentStatus } from '../../../query/parse/parse-version.js';
import { defaultStatusOfCode } from '../../../query/read-access.js';
import type { ReadAccess } from '../../../query/read-access.js';
import type { CutPointers } from '../fit-response.js';
import type { McpAbilities, McpCall } from '../mcp-services.js';

export type Arguments = Readonly<Record<string, unknown>>;

/** The result of a tool, before it is cut to the size of a response. */
export interface ToolResult {
  readonly body: Readonly<Record<string, unknown>>;
  /** Default: the texts that name the tool's own arguments. */
  readonly pointers?: CutPointers;
}

/** A tool. Their number and their descriptions do not depend on the project. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** The properties of the arguments, as JSON Schema 2020-12. */
  readonly properties: Readonly<Record<string, JsonSchema>>;
  readonly required: readonly string[];
  readonly effect: 'reads' | 'writes' | 'destroys';
  /** Absent: every server has the tool. */
  readonly isAvailable?: (abilities: McpAbilities) => boolean;
  readonly run: (call: McpCall, args: Arguments) => Promise<ToolResult>;
}

/** Returns the JSON Schema of a tool's arguments. */
export function inputSchemaOf({ properties, required }: Tool): Record<string, unknown> {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties,
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
  };
}

/** Returns the error for an argument that the tool does not accept. */
export function invalidArgument(
  tool: string,
  argument: string,
  { reason, remedy }: { readonly reason: string; readonly remedy: string },
): GalleyError {
  return createError('mcp/invalid-argument', { tool, argument, reason, remedy });
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: 'a text',
  integer: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  array: 'a list',
};

const isOfType = (value: unknown, type: string): boolean => {
  switch (type) {
    case 'integer':
      return Number.isSafeInteger(value);
    case 'object':
      return isRecord(value);
    case 'array':
      return Array.isArray(value);
    default:
      return typeof value === type;
  }
};

/** Some clients accept only one `type` in a schema, so that an argument of several types has `anyOf`. */
const typesOf = ({ type, anyOf }: JsonSchema): readonly string[] => {
  if (typeof type === 'string') return [type];
  return Array.isArray(anyOf) ? anyOf.filter(isRecord).flatMap(typesOf) : [];
};

/** Some clients send objects and lists as JSON text, and lists of one text as the text. */
const decodeText = (value: unknown, types: readonly string[]): unknown => {
  if (typeof value !== 'string' || types.includes('string')) return value;
  try {
    return JSON.parse(value);
  } catch {
    return types.includes('array') ? [value] : value;
  }
};

const rangeOf = ({ minimum, maximum }: JsonSchema): string =>
  [
    ...(typeof minimum === 'number' ? [`at least ${minimum}`] : []),
    ...(typeof maximum === 'number' ? [`at most ${maximum}`] : []),
  ].join(' and ');

const isInRange = (value: unknown, { minimum, maximum }: JsonSchema): boolean =>
  typeof value !== 'number' ||
  ((typeof minimum !== 'number' || value >= minimum) && (typeof maximum !== 'number' || value <= maximum));

/** Returns the value of an argument. */
const parseArgument = (tool: Tool, name: string, sent: unknown, schema: JsonSchema): unknown => {
  const types = typesOf(schema);
  const value = decodeText(sent, types);
  const expected = types.map((type) => TYPE_NAMES[type] ?? type).join(' or ');
  const remedy = `Send ${name} as ${expected}.`;
  if (types.length > 0 && !types.some((type) => isOfType(value, type)))
    throw invalidArgument(tool.name, name, { reason: `must be ${expected}`, remedy });
  if (!isInRange(value, schema))
    throw invalidArgument(tool.name, name, { reason: `must be ${rangeOf(schema)}`, remedy });
  const { enum: values } = schema;
  if (!Array.isArray(values) || values.includes(value)) return value;
  const known = values.map(String);
  throw invalidArgument(tool.name, name, {
    reason: `must be one of ${known.join(', ')}`,
    remedy: didYouMean(String(value), known, `Send ${known.join(' or ')}.`),
  });
};

/**
 * Parses the arguments of a call. Null counts as absent.
 *
 * @throws `mcp/invalid-argument`, which names the valid values
 */
export function parseArguments(tool: Tool, sent: unknown): Arguments {
  const { name, properties, required } = tool;
  const known = Object.keys(properties);
  if (!isRecord(sent))
    throw invalidArgument(name, 'arguments', {
      reason: 'must be an object',
      remedy: `Send an object with ${known.join(', ')}.`,
    });
  const args: Record<string, unknown> = {};
  for (const [argument, value] of Object.entries(sent)) {
    if (value === null) continue;
    const schema = Object.hasOwn(properties, argument) ? properties[argument] : undefined;
    if (schema === undefined)
      throw invalidArgument(name, argument.slice(0, 60), {
        reason: 'is unknown',
        remedy: `${didYouMean(argument, known)} Known are ${known.join(', ')}.`.trim(),
      });
    args[argument] = parseArgument(tool, argument, value, schema);
  }
  const missing = required.find((argument) => args[argument] === undefined);
  if (missing !== undefined)
    throw invalidArgument(name, missing, {
      reason: 'is missing',
      remedy: `${name} requires ${required.join(', ')}.`,
    });
  return args;
}

/** Returns an argument that is a text, if it was sent. */
export function textArgument(args: Arguments, name: string): string | undefined {
  const value = args[name];
  return typeof value === 'string' ? value : undefined;
}

/** The arguments that several tools have. */
export const TYPE_ARGUMENT: JsonSchema = {
  type: 'string',
  description: 'Uid (api::article.article) or name (article).',
};
export const DOCUMENT_ARGUMENT: JsonSchema = {
  type: 'string',
  description: 'Omit for single types.',
};
export const LOCALE_ARGUMENT: JsonSchema = {
  type: 'string',
  description: 'Locale code. Default: the default locale.',
};
export const DRY_RUN_ARGUMENT: JsonSchema = {
  type: 'boolean',
  description: 'Only check and describe the change.',
};
export const CONFIRM_ARGUMENT: JsonSchema = {
  type: 'string',
  description: 'From the plan. Repeat the other arguments.',
};

export const IF_MATCH_ARGUMENT: JsonSchema = {
  type: 'string',
  description: 'updatedAt that you read; rejects later changes.',
};

/** Types that tools read and write: those of the project and of plugins. Files can only be read. */
export function isServedType({ origin, uid }: Pick<ContentType, 'origin' | 'uid'>): boolean {
  return origin !== 'builtin' || uid === FILE_UID;
}

const unknownType = (call: McpCall, name: string): GalleyError => {
  const { model } = call.services;
  const types = model.types.filter((type) => permittedActions(call, type).length > 0);
  const names = types.map((type) => (name.includes('::') ? type.uid : type.singularName));
  const remedy = didYouMean(name, names, `Valid are ${names.join(', ')}.`);
  return createError('mcp/unknown-type', { name: name.slice(0, 100), remedy });
};

/**
 * Returns the content-type that a client names by its uid or a name. Suggests only types that the client may
 * use.
 *
 * @throws `mcp/unknown-type`
 */
export function typeNamed(call: McpCall, name: string): ContentType {
  const types = call.services.model.types.filter(isServedType);
  const found = (['uid', 'singularName', 'pluralName'] as const)
    .map((key) => types.find((type) => type[key] === name))
    .find((type) => type !== undefined);
  if (found === undefined) throw unknownType(call, name);
  return found;
}

/**
 * Returns the content-type of a call.
 *
 * @throws `mcp/unknown-type`, `mcp/forbidden` for writes of files
 */
export function targetTypeOf(call: McpCall, args: Arguments, access: 'read' | 'write'): ContentType {
  const type = typeNamed(call, textArgument(args, 'type') ?? '');
  if (access === 'read' || type.uid !== FILE_UID) return type;
  throw createError('mcp/forbidden', {
    action: 'write',
    type: type.uid,
    permission: `${type.uid}.upload, and the tool upload`,
  });
}

/** True if the client has the permission for an action. */
export function isPermitted({ caller }: McpCall, type: ContentType, action: DocumentAction): boolean {
  const permission = permissionOf(type, action);
  return isGranted(caller.grants, permission.uid, permission.action);
}

const READ_ACTIONS: readonly DocumentAction[] = ['find', 'findOne'];
const ACTIONS: readonly DocumentAction[] = ['find', 'findOne', 'create', 'update', 'delete'];

/** Returns the actions on a type that the client has the permission for. */
export const permittedActions = (call: McpCall, type: ContentType): readonly string[] =>
  (type.uid === FILE_UID ? READ_ACTIONS : ACTIONS)
    .filter((action) => type.kind === 'collectionType' || (action !== 'findOne' && action !== 'create'))
    .filter((action) => isPermitted(call, type, action));

/** Returns a function that is true for the attributes of a type that the client may read or write. */
export const visibleAttributes = (call: McpCall, type: ContentType): ((name: string) => boolean) => {
  const { scopeOf } = rightsOf(call);
  const scopes = permittedActions(call, type).map((action) => scopeOf?.(type.uid, action)?.fields ?? null);
  return (name) => scopes.some((fields) => fields === null || fields.has(name));
};

/** @throws `mcp/forbidden`, which names the missing permission */
export function assertPermitted(call: McpCall, type: ContentType, action: DocumentAction): void {
  if (isPermitted(call, type, action)) return;
  const permission = permissionOf(type, action);
  throw createError('mcp/forbidden', {
    action: permission.action,
    type: type.uid,
    permission: `${permission.uid}.${permission.action}`,
  });
}

/** Returns the rights of the client to all types. */
export function rightsOf({ services, caller }: McpCall): ReadAccess {
  return services.access.readAccessOf(caller);
}

/** Returns the locale of a call; the default locale if it names none. */
export function localeOf({ services }: McpCall, args: Arguments): string {
  return parseLocale(args['locale'], services.access.locales.defaultCode());
}

/**
 * Returns the status that a read uses. Default: the draft, as far as the client may read drafts. Undefined
 * for types without drafts.
 */
export function readStatusOf(call: McpCall, type: ContentType, args: Arguments): VersionStatus | undefined {
  const sent = sentStatus(args['status']);
  if (sent !== undefined) return sent;
  return type.draftAndPublish ? defaultStatusOfCode(rightsOf(call), type) : undefined;
}

/** Returns the error for a document that does not exist, or that the client may not see. */
export function unknownDocument(
  type: ContentType,
  documentId: string | null,
  version: readonly (string | undefined)[] = [],
): GalleyError {
  const known = version.filter((part) => part !== undefined && part !== '');
  return createError('mcp/unknown-document', {
    type: type.uid,
    documentId: documentId ?? '(single type)',
    version: known.length === 0 ? '' : ` (${known.join(', ')})`,
  });
}
