import { createError } from '../../errors/catalogue.js';
import type { GalleyError } from '../../errors/galley-error.js';
import { isRecord } from '../../lib/records.js';
import { isStorableText } from '../../model/fields/text-value.js';
import type { LinkAttribute, Uid } from '../../model/model.js';
import type { Connection, LinkOperation, LinkPosition, LinkRef } from './input.js';

const POSITIVE_DIGITS = /^[1-9]\d{0,15}$/;

/** True if a text is a positive integer of at most 16 digits, without leading zeros. */
function isPositiveIdText(text: string): boolean {
  return POSITIVE_DIGITS.test(text);
}

/**
 * Parses a numeric id, sent as a number or as text. Returns null for anything but a positive integer that
 * JavaScript represents exactly.
 */
export function parsePositiveId(value: unknown): number | null {
  const id = typeof value === 'string' && isPositiveIdText(value) ? Number(value) : value;
  return typeof id === 'number' && Number.isSafeInteger(id) && id > 0 ? id : null;
}

/** The attribute whose value is parsed, the types it may point at, and its path for error messages. */
export interface LinkLocation {
  readonly attribute: LinkAttribute;
  /** The attribute's target types. Values of polymorphic relations set their type in `__type`. */
  readonly targets: readonly Uid[];
  readonly path: readonly string[];
}

const MAX_ID_LENGTH = 255;

const invalidRelation = (location: LinkLocation, reason: string): GalleyError =>
  createError('request/invalid-relation', { attribute: location.path.join('.'), reason });

const parseType = (location: LinkLocation, value: Readonly<Record<string, unknown>>): Uid => {
  const { attribute, targets } = location;
  if (attribute.target !== null) return attribute.target;
  const type = value['__type'];
  if (typeof type !== 'string' || !targets.includes(type))
    throw invalidRelation(location, `each value needs a "__type", one of ${targets.join(', ')}.`);
  return type;
};

const parseNumericId = (location: LinkLocation, value: unknown): number => {
  const id = parsePositiveId(value);
  if (id === null) throw invalidRelation(location, 'an "id" must be a positive integer.');
  return id;
};

const parseDocumentId = (location: LinkLocation, value: unknown): string => {
  if (typeof value !== 'string' || value === '' || value.length > MAX_ID_LENGTH || !isStorableText(value))
    throw invalidRelation(location, 'a "documentId" must be a non-empty string.');
  return value;
};

const parseLocale = (location: LinkLocation, value: unknown): string | null => {
  if (value === undefined || value === null) return null;
  if (typeof value !== 'string' || !isStorableText(value))
    throw invalidRelation(location, 'a "locale" must be a string.');
  return value;
};

const parseRefObject = (location: LinkLocation, value: Readonly<Record<string, unknown>>): LinkRef => {
  const { documentId, id } = value;
  const type = parseType(location, value);
  const locale = parseLocale(location, value['locale']);
  if (documentId !== undefined && documentId !== null)
    return { type, documentId: parseDocumentId(location, documentId), id: null, locale };
  if (id === undefined || id === null)
    throw invalidRelation(
      location,
      'an object must contain "documentId", "id", "set", "connect" or "disconnect".',
    );
  return { type, documentId: null, id: parseNumericId(location, id), locale };
};

/** Parses a reference in text form. Files are linked by their numeric id, which GraphQL sends as a string. */
const parseRefText = (location: LinkLocation, value: string): LinkRef => {
  const type = parseType(location, {});
  if (location.attribute.family === 'media' && isPositiveIdText(value))
    return { type, documentId: null, id: parseNumericId(location, value), locale: null };
  return { type, documentId: parseDocumentId(location, value), id: null, locale: null };
};

const parseRef = (location: LinkLocation, value: unknown): LinkRef => {
  if (typeof value === 'string') return parseRefText(location, value);
  if (typeof value === 'number')
    return {
      type: parseType(location, {}),
      documentId: null,
      id: parseNumericId(location, value),
      locale: null,
    };
  if (isRecord(value)) return parseRefObject(location, value);
  throw invalidRelation(
    location,
    'a value must be a documentId, an id, or an object that contains one of them.',
  );
};

const parseRefs = (location: LinkLocation, value: unknown): readonly LinkRef[] => {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value.map((item) => parseRef(location, item)) : [parseRef(location, value)];
};

const POSITIONS = ['start', 'end', 'before', 'after'] as const;

/** Parses the document of a position. In polymorphic lists, `type` is the default type. */
const parsePositionRef = (location: LinkLocation, value: unknown, type: unknown): LinkRef => {
  if (location.attribute.target !== null) return parseRef(location, value);
  if (isRecord(value)) return parseRefObject(location, { __type: type, ...value });
  return parseRefObject(location, { __type: type, [typeof value === 'number' ? 'id' : 'documentId']: value });
};

/** Parses the position of a document. `type` is its type in polymorphic lists. */
const parsePosition = (location: LinkLocation, value: unknown, type: unknown): LinkPosition => {
  if (value === undefined || value === null) return { at: 'end', isDefault: true };
  if (value === 'end') return { at: 'end' };
  const positionKeys = isRecord(value)
    ? POSITIONS.filter((key) => value[key] !== undefined && value[key] !== null)
    : [];
  const [at] = positionKeys;
  if (!isRecord(value) || at === undefined || positionKeys.length > 1)
    throw invalidRelation(location, `a position must contain exactly one of ${POSITIONS.join(', ')}.`);
  if (at === 'before' || at === 'after')
    return { at, ref: parsePositionRef(location, value[at], value['__type'] ?? type) };
  if (value[at] !== true) throw invalidRelation(location, `the position "${at}" must be true or absent.`);
  return { at };
};

const parseConnection = (location: LinkLocation, value: unknown): Connection => ({
  ref: parseRef(location, value),
  position: isRecord(value)
    ? parsePosition(location, value['position'], value['__type'])
    : { at: 'end', isDefault: true },
});

const parseConnections = (location: LinkLocation, value: unknown): readonly Connection[] => {
  if (value === undefined || value === null) return [];
  return (Array.isArray(value) ? value : [value]).map((item) => parseConnection(location, item));
};

const parseOperation = (location: LinkLocation, value: Readonly<Record<string, unknown>>): LinkOperation => {
  if (Object.hasOwn(value, 'set') && value['set'] !== undefined)
    return { kind: 'set', targets: parseRefs(location, value['set']) };
  return {
    kind: 'change',
    connect: parseConnections(location, value['connect']),
    disconnect: parseRefs(location, value['disconnect']),
  };
};

const OPERATIONS = ['set', 'connect', 'disconnect'];

const assertSingleTarget = (location: LinkLocation, operation: LinkOperation): LinkOperation => {
  const refs = operation.kind === 'set' ? operation.targets : operation.connect.map(({ ref }) => ref);
  const distinct = new Set(refs.map(({ type, documentId, id }) => JSON.stringify([type, documentId, id])));
  if (!location.attribute.many && distinct.size > 1)
    throw invalidRelation(location, 'it can link only one document.');
  return operation;
};

/**
 * Parses a relation or media value in any of its forms. Null and an empty list remove all links. If `set` is
 * given, `connect` and `disconnect` are ignored.
 *
 * @throws `request/invalid-relation`
 */
export function parseLinkOperation(location: LinkLocation, value: unknown): LinkOperation {
  const isOperation = isRecord(value) && OPERATIONS.some((key) => Object.hasOwn(value, key));
  return assertSingleTarget(
    location,
    isOperation ? parseOperation(location, value) : { kind: 'set', targets: parseRefs(location, value) },
  );
}
