import { fail } from '../errors/catalogue.js';
import type { GalleyError } from '../errors/galley-error.js';
import { isStorableText } from '../fields/text-value.js';
import { isRecord } from '../lib/is-record.js';
import type { LinkAttribute, Uid } from '../model/model.js';
import type { Connection, LinkOperation, LinkPosition, LinkRef } from './input.js';

/** One link value under reading: whose it is, what it may point at, and how an error calls it. */
export interface LinkPlace {
  readonly attribute: LinkAttribute;
  /** The attribute's types; several for polymorphic relations, whose values say `__type`. */
  readonly targets: readonly Uid[];
  readonly path: readonly string[];
}

const DIGITS = /^[1-9]\d{0,15}$/;
const LONGEST_ID = 255;

const refuse = (place: LinkPlace, reason: string): GalleyError => fail('request/invalid-relation', { attribute: place.path.join('.'), reason });

const readType = (place: LinkPlace, value: Readonly<Record<string, unknown>>): Uid => {
  const { attribute, targets } = place;
  if (attribute.target !== null) return attribute.target;
  const type = value['__type'];
  if (typeof type !== 'string' || !targets.includes(type)) throw refuse(place, `each value needs a "__type", one of ${targets.join(', ')}.`);
  return type;
};

const readNumericId = (place: LinkPlace, value: unknown): number => {
  const id = typeof value === 'string' && DIGITS.test(value) ? Number(value) : value;
  if (typeof id !== 'number' || !Number.isSafeInteger(id) || id < 1) throw refuse(place, 'an "id" is a positive whole number.');
  return id;
};

const readDocumentId = (place: LinkPlace, value: unknown): string => {
  if (typeof value !== 'string' || value === '' || value.length > LONGEST_ID || !isStorableText(value)) throw refuse(place, 'a "documentId" is a text that is not empty.');
  return value;
};

const readLocale = (place: LinkPlace, value: unknown): string | null => {
  if (value === undefined || value === null) return null;
  if (typeof value !== 'string' || !isStorableText(value)) throw refuse(place, 'a "locale" is a text.');
  return value;
};

const readRefObject = (place: LinkPlace, value: Readonly<Record<string, unknown>>): LinkRef => {
  const { documentId, id } = value;
  const type = readType(place, value);
  const locale = readLocale(place, value['locale']);
  if (documentId !== undefined && documentId !== null) return { type, documentId: readDocumentId(place, documentId), id: null, locale };
  if (id === undefined || id === null) throw refuse(place, 'an object must hold "documentId", "id", "set", "connect" or "disconnect".');
  return { type, documentId: null, id: readNumericId(place, id), locale };
};

/** Files are linked by number, which GraphQL sends as text. */
const readText = (place: LinkPlace, value: string): LinkRef => {
  const type = readType(place, {});
  if (place.attribute.family === 'media' && DIGITS.test(value)) return { type, documentId: null, id: readNumericId(place, value), locale: null };
  return { type, documentId: readDocumentId(place, value), id: null, locale: null };
};

const readRef = (place: LinkPlace, value: unknown): LinkRef => {
  if (typeof value === 'string') return readText(place, value);
  if (typeof value === 'number') return { type: readType(place, {}), documentId: null, id: readNumericId(place, value), locale: null };
  if (isRecord(value)) return readRefObject(place, value);
  throw refuse(place, 'a value is a documentId, an id, or an object that holds one of them.');
};

const readList = (place: LinkPlace, value: unknown): readonly LinkRef[] => {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value.map((item) => readRef(place, item)) : [readRef(place, value)];
};

const POSITIONS = ['start', 'end', 'before', 'after'] as const;

const readPosition = (place: LinkPlace, value: unknown): LinkPosition => {
  if (value === undefined || value === null) return { at: 'end' };
  const given = isRecord(value) ? POSITIONS.filter((key) => value[key] !== undefined && value[key] !== null) : [];
  const [at] = given;
  if (!isRecord(value) || at === undefined || given.length > 1) throw refuse(place, `a position holds one of ${POSITIONS.join(', ')}.`);
  if (at === 'before' || at === 'after') return { at, ref: readRef(place, value[at]) };
  if (value[at] !== true) throw refuse(place, `the position "${at}" is true or left out.`);
  return { at };
};

const readConnection = (place: LinkPlace, value: unknown): Connection => ({
  ref: readRef(place, value),
  position: readPosition(place, isRecord(value) ? value['position'] : undefined),
});

const readConnections = (place: LinkPlace, value: unknown): readonly Connection[] => {
  if (value === undefined || value === null) return [];
  return (Array.isArray(value) ? value : [value]).map((item) => readConnection(place, item));
};

const readChange = (place: LinkPlace, value: Readonly<Record<string, unknown>>): LinkOperation => {
  if (Object.hasOwn(value, 'set') && value['set'] !== undefined) return { kind: 'set', targets: readList(place, value['set']) };
  return { kind: 'change', connect: readConnections(place, value['connect']), disconnect: readList(place, value['disconnect']) };
};

const OPERATIONS = ['set', 'connect', 'disconnect'];

const assertOneTarget = (place: LinkPlace, operation: LinkOperation): LinkOperation => {
  const refs = operation.kind === 'set' ? operation.targets : operation.connect.map(({ ref }) => ref);
  const distinct = new Set(refs.map(({ type, documentId, id }) => JSON.stringify([type, documentId, id])));
  if (!place.attribute.many && distinct.size > 1) throw refuse(place, 'it links one document only.');
  return operation;
};

/**
 * Reads a relation or media value in any of its spellings. Null and an empty list clear it; with `set`, `connect` and `disconnect` are ignored.
 * Throws `request/invalid-relation`.
 */
export function readLinkOperation(place: LinkPlace, value: unknown): LinkOperation {
  const isOperation = isRecord(value) && OPERATIONS.some((key) => Object.hasOwn(value, key));
  return assertOneTarget(place, isOperation ? readChange(place, value) : { kind: 'set', targets: readList(place, value) });
}
