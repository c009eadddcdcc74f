import { createError } from '../../errors/catalogue.js';
import { memoizeWeakly } from '../../lib/collections.js';
import { isRecord } from '../../lib/records.js';
import { USER_UID } from '../../model/content-types/builtin-types.js';
import { linksCaller } from '../../model/lookup.js';
import type { ContentType, RelationAttribute } from '../../model/model.js';
import type { LoadedRelationWrite, RelationMapping } from '../links/relation-mapping.js';
import { isShared } from '../links/relation-mapping.js';
import { linkedAndPositionRefs, linkedRefs, missingReference } from '../links/resolve-targets.js';
import type { TargetLookup } from '../links/resolve-targets.js';
import type { LinkOperation, LinkRef, PreparedInput } from '../validation/input.js';
import { baseRow, siblingRow } from './write-context.js';
import type { WriteContext } from './write-context.js';

/*
 * Relations with `"default": "$caller"`. The server links the user who creates a document, and only callers
 * with the right `setOwner` may change the link.
 */

/** Returns the attributes of a type that link the caller by default. */
const callerAttributesOf = memoizeWeakly((type: ContentType): readonly RelationAttribute[] =>
  Object.values(type.attributes).filter(linksCaller),
);

/** True if a write creates the value: of a new document, or of a new locale if each has its own value. */
const isNewValue = (context: WriteContext, { localized }: Pick<RelationAttribute, 'localized'>): boolean =>
  localized ? baseRow(context) === undefined : context.rows.length === 0;

const namesNobody = (value: unknown): boolean => {
  if (value === null || (Array.isArray(value) && value.length === 0)) return true;
  return isRecord(value) && ['set', 'connect'].some((key) => key in value)
    ? namesNobody(value['set'] ?? null) && namesNobody(value['connect'] ?? null)
    : false;
};

/** True if the caller may set who owns documents of a type. */
const maySetOwner = ({ access }: Pick<WriteContext, 'access'>, { uid }: ContentType): boolean =>
  access?.maySetOwner?.(uid) !== false;

/**
 * Returns the data with links to the caller, where the write creates a value and the client names nobody. A
 * caller who may set owners may also leave them empty.
 */
export function withCaller(context: WriteContext, input: PreparedInput): PreparedInput {
  const { access, type } = context;
  const documentId = access?.caller?.documentId;
  if (documentId === undefined) return input;
  const missing = callerAttributesOf(type).filter((attribute) => {
    const value = input.data[attribute.name];
    const isMissing = value === undefined || (namesNobody(value) && !maySetOwner(context, type));
    return isMissing && isNewValue(context, attribute);
  });
  if (missing.length === 0) return input;
  const links = missing.map(({ name, many }) => [name, many ? [documentId] : documentId] as const);
  return { ...input, data: { ...input.data, ...Object.fromEntries(links) } };
}

/** Returns the users that the written locale links before the write. */
const linkedBefore = (
  context: WriteContext,
  { mapping, stored }: LoadedRelationWrite,
): ReadonlySet<string> => {
  const base = baseRow(context) ?? (isShared(mapping) ? siblingRow(context) : undefined);
  if (mapping.link.kind === 'column') {
    const documentId = base?.values[mapping.link.field];
    return new Set(typeof documentId === 'string' ? [documentId] : []);
  }
  const entries = stored.entries.filter(({ sourceId }) => sourceId === base?.id);
  return new Set(entries.map(({ targetDocumentId }) => targetDocumentId));
};

/** Returns the users that an operation leaves linked. Null stands for one that the caller may not see. */
const linkedAfter = (
  operation: LinkOperation,
  before: ReadonlySet<string>,
  { many, idOf }: { readonly many: boolean; readonly idOf: (ref: LinkRef) => string | null },
): ReadonlySet<string | null> => {
  const linked = linkedRefs(operation).map(idOf);
  if (operation.kind === 'set') return new Set(linked);
  if (!many && linked.length > 0) return new Set(linked.slice(-1));
  const removed = new Set(operation.disconnect.map(idOf));
  return new Set([...[...before].filter((id) => !removed.has(id)), ...linked]);
};

const isSameSet = (left: ReadonlySet<unknown>, right: ReadonlySet<unknown>): boolean =>
  left.size === right.size && [...left].every((item) => right.has(item));

/** Throws the error for a caller who changes an owner without the right. */
export function rejectOwner(type: ContentType, attribute: string): never {
  throw createError('request/owner-forbidden', { type: type.uid, attribute });
}

/**
 * Asserts that the caller may write the owners in its data. Without the right, it may send those that are
 * linked already, or itself for a new document. Users that it may not see count as others in any case, so
 * that no response reveals the owner.
 *
 * @throws `request/owner-forbidden`; `request/invalid-relation` for a user whom a caller with the right may
 *   not see
 */
export function assertMaySetOwners(
  context: WriteContext,
  writes: readonly LoadedRelationWrite[],
  lookup: TargetLookup,
): void {
  const { access, type } = context;
  if (access === undefined || callerAttributesOf(type).length === 0) return;
  const callerId = access.caller?.documentId;
  const seesUsers = access.canFind(USER_UID);
  const seesAll = seesUsers && (access.scopeOf?.(USER_UID, 'find')?.filter ?? null) === null;
  const idOf = (ref: LinkRef): string | null => {
    const documentId = lookup.find(USER_UID, ref);
    return documentId === callerId || seesUsers ? documentId : null;
  };
  for (const write of writes) {
    const { operation, mapping } = write;
    const attribute = ownerAttribute(mapping);
    if (attribute === null || operation === null || mapping.attribute.side === 'inverse') continue;
    const namesHidden = linkedAndPositionRefs(operation).some((ref) => idOf(ref) === null);
    if (maySetOwner(context, type)) {
      if (namesHidden) throw missingReference([attribute.name]);
      continue;
    }
    const before = linkedBefore(context, write);
    const permitted = isNewValue(context, attribute)
      ? new Set(callerId === undefined ? [] : [callerId])
      : before;
    // Lookups hide only users that are linked. So disconnecting one must not tell who is the owner.
    const removesOthers =
      operation.kind === 'change' && !seesAll && operation.disconnect.some((ref) => idOf(ref) !== callerId);
    const after = linkedAfter(operation, before, { many: attribute.many, idOf });
    if (namesHidden || removesOthers || !isSameSet(after, permitted)) rejectOwner(type, attribute.name);
  }
}

/** Returns the attribute of a link that links the caller by default, from either side. Null: none does. */
export function ownerAttribute({ attribute, owner, link }: RelationMapping): RelationAttribute | null {
  const owning = attribute.side === 'owner' ? attribute : owner.attributes[link.ownerAttribute];
  return linksCaller(owning) ? owning : null;
}
