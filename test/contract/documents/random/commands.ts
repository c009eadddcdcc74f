import fc from 'fast-check';
import { hasDrafts, isLocalized, isMany, KINDS } from '../reference-links.js';
import type { Kind, ReferenceOperation } from '../reference-links.js';
import { COMPONENTS, membersOf, MORPH_OWNER, MORPH_TARGETS, TWO_WAY, ZONE } from './project.js';
import type { Member, Members, Target } from './project.js';
import { LOCALES } from './site.js';
import type { RandomSite, RelationChange } from './site.js';
import { sameRef } from './values.js';
import type { Change, Changes, Item, Place, Ref, Value, Values } from './values.js';

/** Where a value is to be written. */
interface Where {
  readonly site: RandomSite;
  readonly locale: string;
}

/** Numbers stand for documents until it is known which there are. */
type FromWhere<T> = (where: Where) => T;

const NUMBER = fc.nat(30);

const pick = <T>(items: readonly T[], number: number): T | undefined => items[number % Math.max(1, items.length)];

/** Few of the documents are named often, so that links meet. */
const POPULAR = 3;

/** Of some numbers any document, of most one that can be linked from that locale. */
const refTo = ({ site, locale }: Where, target: Target, number: number): readonly Ref[] => {
  const needed = locale === '-' ? LOCALES[0] : locale;
  const isFitting = (documentId: string): boolean => target === 'file' || !isLocalized(target) || site.locales(documentId).includes(needed);
  const documents = site.documents(target);
  const documentId = pick(number === 0 ? documents : documents.filter(isFitting).slice(0, POPULAR), number);
  return documentId === undefined ? [] : [{ target, documentId }];
};

const listLength = (many: boolean): { readonly maxLength: number } => ({ maxLength: many ? 3 : 1 });

const itemOf = (component: string): fc.Arbitrary<FromWhere<Item>> =>
  valuesOf(COMPONENTS[component] ?? {}).map((values): FromWhere<Item> => (where) => ({ component, values: values(where) }));

const morphList = (many: boolean): fc.Arbitrary<FromWhere<readonly Ref[]>> =>
  fc.array(fc.tuple(fc.constantFrom(...MORPH_TARGETS), NUMBER), listLength(many)).map((refs) => (where) => refs.flatMap(([target, number]) => refTo(where, target, number)));

const itemList = (item: fc.Arbitrary<FromWhere<Item>>, many: boolean): fc.Arbitrary<FromWhere<readonly Item[]>> =>
  fc.array(item, { maxLength: many ? 2 : 1 }).map((items) => (where) => items.map((each) => each(where)));

const valueOf = (member: Member): fc.Arbitrary<FromWhere<Value>> => {
  switch (member.kind) {
    case 'text': return fc.option(fc.constantFrom('', 'a', 'É%_\'"\\', '{"id":1}')).map((text) => () => text);
    case 'number': return fc.option(fc.integer({ min: -2, max: 9 })).map((number) => () => number);
    case 'link': return fc.array(NUMBER, listLength(member.many)).map((numbers) => (where) => numbers.flatMap((number) => refTo(where, member.target, number)));
    case 'morph': return morphList(member.many);
    case 'component': return itemList(itemOf(member.component), member.many);
    case 'zone': return itemList(fc.oneof(...ZONE.map(itemOf)), true);
  }
};

/** Some of the members. */
const valuesOf = (members: Members): fc.Arbitrary<FromWhere<Values>> =>
  fc.record(Object.fromEntries(Object.entries(members).map(([name, member]) => [name, valueOf(member)])), { requiredKeys: [] })
    .map((values) => (where) => Object.fromEntries(Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, value(where)]]))));

/** The version that is written, and the member of it. */
interface Spot extends Where {
  readonly kind: Kind;
  readonly documentId: string | null;
  readonly name: string;
}

type FromSpot = (spot: Spot) => Change | null;

const asWhole = (value: FromWhere<Value>): FromSpot => (spot) => ({ kind: 'value', value: value(spot) });

/** Connects one beside another that is linked, and disconnects one. */
const placement = (refs: FromWhere<readonly Ref[]>, at: Place['at'], near: number, gone: number | null): FromSpot => (spot) => {
  const stored = spot.site.stored(spot.documentId, spot.locale, spot.name);
  const [ref] = refs(spot);
  if (ref === undefined) return null;
  const disconnected = gone === null ? undefined : pick(stored, gone);
  const reference = pick(stored.filter((each) => !sameRef(each, ref) && each !== disconnected), near);
  const isBeside = at === 'before' || at === 'after';
  const place: Place = isBeside ? (reference === undefined ? { at: 'end' } : { at, ref: reference }) : { at };
  return { kind: 'links', connect: [{ ref, place }], disconnect: disconnected === undefined || sameRef(disconnected, ref) ? [] : [disconnected] };
};

const patch = (values: FromWhere<Values>): FromSpot => (spot) => {
  const id = spot.site.componentId(spot.kind, spot.documentId, spot.locale, spot.name);
  return id === undefined ? null : { kind: 'patch', id, values: values(spot) };
};

const changeOf = (member: Member): fc.Arbitrary<FromSpot> => {
  const whole = valueOf(member).map(asWhole);
  if (member.kind === 'component' && !member.many) return fc.oneof(whole, valuesOf(COMPONENTS[member.component] ?? {}).map(patch));
  if ((member.kind !== 'link' && member.kind !== 'morph') || !member.many) return whole;
  return fc.oneof(whole, fc.tuple(valueOf({ ...member, many: false }), fc.constantFrom('start', 'end', 'before', 'after'), NUMBER, fc.option(NUMBER))
    .map(([value, at, near, gone]) => placement((where) => value(where) as readonly Ref[], at, near, gone)));
};

type FromVersion<T> = (spot: Omit<Spot, 'name'>) => T;

const CHANGES: fc.Arbitrary<FromVersion<Changes>> = fc
  .record(Object.fromEntries(Object.entries(membersOf(MORPH_OWNER)).map(([name, member]) => [name, changeOf(member)])), { requiredKeys: [] })
  .map((changes) => (spot) => Object.fromEntries(Object.entries(changes).flatMap(([name, make]) => {
    const change = membersOf(spot.kind)[name] === undefined ? null : (make?.({ ...spot, name }) ?? null);
    return change === null ? [] : [[name, change]];
  })));

/** A two-way relation of the version's type is set or changed, from whichever side it has. */
const RELATION: fc.Arbitrary<FromVersion<RelationChange | null>> = fc
  .record({ relation: NUMBER, isSet: fc.boolean(), connect: fc.array(NUMBER, { maxLength: 3 }), disconnect: fc.array(NUMBER, { maxLength: 2 }) })
  .map(({ relation: number, isSet, connect, disconnect }) => ({ site, kind, documentId, locale }) => {
    const sides = TWO_WAY.flatMap((relation) => [
      ...(relation.owner === kind ? [{ relation, side: 'owner' } as const] : []),
      ...(relation.target === kind ? [{ relation, side: 'inverse' } as const] : []),
    ]);
    const side = pick(sides, number);
    if (side === undefined) return null;
    const peer = side.side === 'owner' ? side.relation.target : side.relation.owner;
    const named = (numbers: readonly number[]): readonly string[] =>
      [...new Set(numbers.flatMap((each) => refTo({ site, locale }, peer, each).map((ref) => ref.documentId)))].filter((each) => each !== documentId);
    const targets = isMany(side.relation, side.side) ? named(connect) : named(connect).slice(0, 1);
    const operation: ReferenceOperation = isSet ? { kind: 'set', targets } : { kind: 'change', connect: targets, disconnect: named(disconnect).filter((each) => !targets.includes(each)) };
    return { ...side, operation };
  });

/** One operation; what it did is told where a sequence fails. */
class Operation implements fc.AsyncCommand<RandomSite, RandomSite> {
  #story: string;

  constructor(name: string, private readonly isPossible: (site: RandomSite) => boolean, private readonly work: (site: RandomSite) => Promise<string>) {
    this.#story = name;
  }

  check(site: Readonly<RandomSite>): boolean {
    return this.isPossible(site as RandomSite);
  }

  async run(_model: RandomSite, site: RandomSite): Promise<void> {
    this.#story = await this.work(site);
  }

  toString(): string {
    return this.#story;
  }
}

const KIND = fc.constantFrom(...KINDS, 'both', 'both');
const LOCALE = fc.constantFrom(...LOCALES, 'en');

/** Beyond these, sequences would take their time with more of the same. */
const MOST_DOCUMENTS = 3;

const CREATE = fc.record({ kind: KIND, locale: LOCALE, publish: fc.boolean(), changes: CHANGES, relation: fc.option(RELATION) }).map(({ kind, locale, publish, changes, relation }) =>
  new Operation('create', (site) => site.documents(kind).length < MOST_DOCUMENTS, (site) => {
    const spot = { site, kind, documentId: null, locale: isLocalized(kind) ? locale : '-' };
    return site.write({ kind, documentId: null, locale: spot.locale, publish, changes: changes(spot), relation: relation?.(spot) ?? null });
  }));

const UPDATE = fc.record({ kind: KIND, number: NUMBER, locale: LOCALE, publish: fc.boolean(), changes: fc.option(CHANGES), relation: fc.option(RELATION) }).map(({ kind, number, locale, publish, changes, relation }) =>
  new Operation('update', (site) => site.documents(kind).length > 0, (site) => {
    const spot = { site, kind, documentId: pick(site.documents(kind), number) ?? null, locale: isLocalized(kind) ? locale : '-' };
    return site.write({ kind, documentId: spot.documentId, locale: spot.locale, publish, changes: changes?.(spot) ?? {}, relation: relation?.(spot) ?? null });
  }));

const onVersion = (name: string, kinds: readonly Kind[], act: (site: RandomSite, kind: Kind, documentId: string, locale: string) => Promise<string>): fc.Arbitrary<Operation> =>
  fc.record({ kind: fc.constantFrom(...kinds), number: NUMBER, locale: NUMBER }).map(({ kind, number, locale }) =>
    new Operation(name, (site) => site.documents(kind).length > 0, (site) => {
      const documentId = pick(site.documents(kind), number) ?? '';
      return act(site, kind, documentId, pick(site.locales(documentId), locale) ?? '-');
    }));

const DRAFTED = KINDS.filter(hasDrafts);

const FILE = fc.record({ number: NUMBER, isRemoved: fc.boolean() }).map(({ number, isRemoved }) =>
  new Operation('file', () => true, (site) => {
    const documentId = isRemoved ? pick(site.documents('file'), number) : undefined;
    return documentId === undefined ? site.createFile() : site.removeFile(documentId);
  }));

/** What can be done to documents, updates most of all. */
export const OPERATIONS: fc.Arbitrary<Operation>[] = [
  CREATE, CREATE, CREATE, CREATE, ...Array.from({ length: 10 }, () => UPDATE), FILE,
  onVersion('publish', DRAFTED, (site, kind, documentId, locale) => site.publish(kind, documentId, locale)),
  onVersion('unpublish', DRAFTED, (site, kind, documentId, locale) => site.unpublish(kind, documentId, locale)),
  onVersion('discard', DRAFTED, (site, kind, documentId, locale) => site.discard(kind, documentId, locale)),
  onVersion('remove', KINDS, (site, kind, documentId, locale) => site.remove(kind, documentId, locale)),
  onVersion('remove all', KINDS, (site, kind, documentId) => site.remove(kind, documentId, null)),
];
