import { permissionOf } from '../../../access/permissions/actions.js';
import type { DocumentAction } from '../../../access/permissions/actions.js';
import { isGranted } from '../../../access/permissions/authorise.js';
import { createError } from '../../../errors/catalogue.js';
import type { GalleyError } from '../../../errors/galley-error.js';
import type { JsonSchema } from '../../../lib/json.js';
import { didYouMean } from '../../../lib/nearest.js';
import { FILE_UID } from '../../../model/content-types/builtin-types.js';
import type { ContentType, VersionStatus } from '../../../model/model.js';
import { parseLocale, sentStatus } from '../../../query/parse/parse-version.js';
import { defaultStatusOfCode } from '../../../query/read-access.js';
import type { ReadAccess } from '../../../query/read-access.js';
import type { McpCall } from '../mcp-services.js';
import { textArgument } from './tool.js';
import type { Arguments } from './tool.js';

/** The arguments that several tools have. */
export const TYPE_ARGUMENT: JsonSchema = {
  type: 'string',
  description: 'Content-type: its uid (api::article.article) or name (article).',
};
export const DOCUMENT_ARGUMENT: JsonSchema = {
  type: 'string',
  description: 'documentId. Omit for single types.',
};
export const LOCALE_ARGUMENT: JsonSchema = {
  type: 'string',
  description: 'Locale code. Default: the default locale.',
};
export const DRY_RUN_ARGUMENT: JsonSchema = {
  type: 'boolean',
  description: 'True: only check and describe the change.',
};
export const CONFIRM_ARGUMENT: JsonSchema = {
  type: 'string',
  description: 'Confirmation from the plan. Repeat the other arguments unchanged.',
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
