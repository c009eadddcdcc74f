import fc from 'fast-check';
import { isLocalized } from '../relation-kinds.js';
import type { Kind } from '../relation-kinds.js';
import { COMPONENTS, MORPH_TARGETS, ZONE } from './project.js';
import type { Member, Members, Target } from './project.js';
import { LOCALES } from './harness.js';
import type { RandomTestHarness } from './harness.js';
import { sameRef } from './values.js';
import type { Change, Item, Position, Ref, Value, Values } from './values.js';

/** Where a value is to be written. */
interface WriteLocation {
  readonly harness: RandomTestHarness;
  readonly locale: string;
}

/** Creates a T once the existing documents are known. Until then, numbers stand for them. */
type ForLocation<T> = (location: WriteLocation) => T;

export const NUMBER = fc.nat(30);

export const pick = <T>(items: readonly T[], number: number): T | undefined =>
  items[number % Math.max(1, items.length)];

/** Number of documents that are linked often, so that several links have the same target. */
const FREQUENT_DOCUMENTS = 3;

/**
 * Returns the document that a number stands for, or nothing if there is none. For 0 that is any document, for
 * other numbers one that exists in the locale.
 */
export const refTo = ({ harness, locale }: WriteLocation, target: Target, number: number): readonly Ref[] => {
  const requiredLocale = locale === '-' ? LOCALES[0] : locale;
  const existsInLocale = (documentId: string): boolean =>
    target === 'file' || !isLocalized(target) || harness.locales(documentId).includes(requiredLocale);
  const documents = harness.documents(target);
  const documentId = pick(
    number === 0 ? documents : documents.filter(existsInLocale).slice(0, FREQUENT_DOCUMENTS),
    number,
  );
  return documentId === undefined ? [] : [{ target, documentId }];
};

const listLength = (many: boolean): { readonly maxLength: number } => ({ maxLength: many ? 3 : 1 });

const itemOf = (component: string): fc.Arbitrary<ForLocation<Item>> =>
  valuesOf(COMPONENTS[component] ?? {}).map((values): ForLocation<Item> => (location) => ({
    component,
    values: values(location),
  }));

const morphList = (many: boolean): fc.Arbitrary<ForLocation<readonly Ref[]>> =>
  fc
    .array(fc.tuple(fc.constantFrom(...MORPH_TARGETS), NUMBER), listLength(many))
    .map((refs) => (location) => refs.flatMap(([target, number]) => refTo(location, target, number)));

const itemList = (
  item: fc.Arbitrary<ForLocation<Item>>,
  many: boolean,
): fc.Arbitrary<ForLocation<readonly Item[]>> =>
  fc
    .array(item, { maxLength: many ? 2 : 1 })
    .map((items) => (location) => items.map((each) => each(location)));

const valueOf = (member: Member): fc.Arbitrary<ForLocation<Value>> => {
  switch (member.kind) {
    case 'text':
      return fc.option(fc.constantFrom('', 'a', 'É%_\'"\\', '{"id":1}')).map((text) => () => text);
    case 'number':
      return fc.option(fc.integer({ min: -2, max: 9 })).map((number) => () => number);
    case 'link':
      return fc
        .array(NUMBER, listLength(member.many))
        .map((numbers) => (location) => numbers.flatMap((number) => refTo(location, member.target, number)));
    case 'morph':
      return morphList(member.many);
    case 'component':
      return itemList(itemOf(member.component), member.many);
    case 'zone':
      return itemList(fc.oneof(...ZONE.map(itemOf)), true);
  }
};

/** Values of some of the members. */
const valuesOf = (members: Members): fc.Arbitrary<ForLocation<Values>> =>
  fc
    .record(Object.fromEntries(Object.entries(members).map(([name, member]) => [name, valueOf(member)])), {
      requiredKeys: [],
    })
    .map(
      (values) => (location) =>
        Object.fromEntries(
          Object.entries(values).flatMap(([name, value]) =>
            value === undefined ? [] : [[name, value(location)]],
          ),
        ),
    );

/** The written version and the member to change. */
export interface MemberLocation extends WriteLocation {
  readonly kind: Kind;
  readonly documentId: string | null;
  readonly name: string;
}

type ForMember = (memberLocation: MemberLocation) => Change | null;

const asWhole =
  (value: ForLocation<Value>): ForMember =>
  (memberLocation) => ({ kind: 'value', value: value(memberLocation) });

/** Connects one document at a position, relative to a linked one, and may disconnect another. */
const connectAt =
  (
    refs: ForLocation<readonly Ref[]>,
    at: Position['at'],
    referenceNumber: number,
    disconnectNumber: number | null,
  ): ForMember =>
  (memberLocation) => {
    const stored = memberLocation.harness.stored(
      memberLocation.documentId,
      memberLocation.locale,
      memberLocation.name,
    );
    const [ref] = refs(memberLocation);
    if (ref === undefined) return null;
    const disconnected = disconnectNumber === null ? undefined : pick(stored, disconnectNumber);
    const reference = pick(
      stored.filter((each) => !sameRef(each, ref) && each !== disconnected),
      referenceNumber,
    );
    const isBeside = at === 'before' || at === 'after';
    const position: Position = isBeside
      ? reference === undefined
        ? { at: 'end' }
        : { at, ref: reference }
      : { at };
    return {
      kind: 'links',
      connect: [{ ref, position }],
      disconnect: disconnected === undefined || sameRef(disconnected, ref) ? [] : [disconnected],
    };
  };

const patch =
  (values: ForLocation<Values>): ForMember =>
  (memberLocation) => {
    const id = memberLocation.harness.componentId(
      memberLocation.kind,
      memberLocation.documentId,
      memberLocation.locale,
      memberLocation.name,
    );
    return id === undefined ? null : { kind: 'patch', id, values: values(memberLocation) };
  };

export const changeOf = (member: Member): fc.Arbitrary<ForMember> => {
  const whole = valueOf(member).map(asWhole);
  if (member.kind === 'component' && !member.many)
    return fc.oneof(whole, valuesOf(COMPONENTS[member.component] ?? {}).map(patch));
  if ((member.kind !== 'link' && member.kind !== 'morph') || !member.many) return whole;
  return fc.oneof(
    whole,
    fc
      .tuple(
        valueOf({ ...member, many: false }),
        fc.constantFrom('start', 'end', 'before', 'after'),
        NUMBER,
        fc.option(NUMBER),
      )
      .map(([value, at, referenceNumber, disconnectNumber]) =>
        connectAt((location) => value(location) as readonly Ref[], at, referenceNumber, disconnectNumber),
      ),
  );
};
