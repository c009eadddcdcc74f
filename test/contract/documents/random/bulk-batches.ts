import fc from 'fast-check';
import { hasDrafts, inverseAttribute, isLocalized, isMany, KINDS, ownAttribute } from '../relation-kinds.js';
import type { Kind, Relation, Side } from '../relation-kinds.js';
import { TWO_WAY } from './project.js';
import type { Target } from './project.js';

/** Returns the document that a number stands for; none where there is none. */
type Named = (target: Target, number: number) => readonly string[];
type Data = Readonly<Record<string, unknown>>;

/** Successive items with the same action on documents of one kind. */
export interface Batch {
  readonly kind: Kind;
  readonly action: 'create' | 'update' | 'publish' | 'unpublish' | 'discardDraft' | 'delete';
  readonly items: readonly {
    /** Of an existing document. */
    readonly number: number;
    readonly options: Readonly<Record<string, unknown>>;
    readonly dataOf: (named: Named) => Data;
  }[];
}

/** Few, so that lists get long and values meet. */
const NUMBER = fc.nat(9);
const MAX_ITEMS = 8;

const rarely = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.oneof({ weight: 12, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: value });

type Value = fc.Arbitrary<(named: Named) => unknown>;

const linkTo = (target: Target, many: boolean): Value => {
  const numbers = fc.array(NUMBER, { maxLength: many ? 3 : 1 });
  const set: Value = numbers.map((list) => (named) => ({
    set: list.flatMap((number) => named(target, number)),
  }));
  const change: Value = fc.tuple(numbers, numbers).map(([connect, disconnect]) => (named) => ({
    connect: connect.flatMap((number) => named(target, number)),
    disconnect: disconnect.flatMap((number) => named(target, number)),
  }));
  return fc.oneof(set, change);
};

const relationValue = (relation: Relation, side: Side): Value =>
  linkTo(side === 'owner' ? relation.target : relation.owner, isMany(relation, side));

const COMPONENTS: Readonly<Record<string, Value>> = {
  seo: fc.tuple(NUMBER, NUMBER).map(([title, subject]) => (named) => ({
    title: `title ${title}`,
    subject: named('both', subject)[0] ?? null,
    sources: named('plain', subject),
  })),
  rows: fc
    .array(NUMBER, { maxLength: 2 })
    .map(
      (rows) => (named) =>
        rows.map((row) => ({ label: `row ${row}`, target: named('drafted', row)[0] ?? null })),
    ),
  zone: fc.array(NUMBER, { maxLength: 2 }).map(
    (rows) => (named) =>
      rows.map((row) => ({
        __component: 'part.list',
        rows: [{ label: 'x', target: named('drafted', row)[0] ?? null }],
      })),
  ),
};

/** Most items send a few attributes, so that many can be written together. */
const dataOf = (kind: Kind): fc.Arbitrary<(named: Named) => Data> => {
  const constant = <T>(value: fc.Arbitrary<T>): Value => value.map((each) => () => each);
  const attributes: Record<string, Value> = {
    text: constant(fc.constantFrom('a', 'b', null)),
    count: constant(fc.nat(5)),
    friends: linkTo('translated', true),
    ...COMPONENTS,
  };
  /** Links that take targets from others, or are written from their other ends. */
  const special: Record<string, Value> = { friend: linkTo('both', false), owned: linkTo('drafted', true) };
  for (const relation of TWO_WAY) {
    const own = relation.shape === 'oneToOne' ? special : attributes;
    if (relation.owner === kind) own[ownAttribute(relation)] = relationValue(relation, 'owner');
    if (relation.target === kind) special[inverseAttribute(relation)] = relationValue(relation, 'inverse');
  }
  const toRecord = (values: readonly (readonly [string, (named: Named) => unknown])[]) => (named: Named) =>
    Object.fromEntries(values.map(([name, value]) => [name, value(named)]));
  const some = (of: Readonly<Record<string, Value>>, maxLength: number) =>
    fc.array(
      fc
        .constantFrom(...Object.keys(of))
        .chain((name) => (of[name] as Value).map((value) => [name, value] as const)),
      { maxLength },
    );
  return fc
    .tuple(some(attributes, 3), rarely(some(special, 1)))
    .map(([own, other]) => toRecord([...own, ...(other ?? [])]));
};

const LOCALES = ['en', 'en', 'en', 'en', 'en', 'en', 'fr'] as const;

/** Different documents, mostly. */
const itemsOf = (kind: Kind) =>
  fc.uniqueArray(fc.record({ number: fc.nat(20), dataOf: dataOf(kind) }), {
    minLength: 5,
    maxLength: MAX_ITEMS,
    selector: ({ number }) => number,
  });

const batchOf = (kind: Kind): fc.Arbitrary<Batch> => {
  const draftActions = [
    { weight: 5, arbitrary: fc.constant('publish' as const) },
    { weight: 2, arbitrary: fc.constant('unpublish' as const) },
    { weight: 3, arbitrary: fc.constant('discardDraft' as const) },
  ];
  const action = fc.oneof(
    { weight: 1, arbitrary: fc.constant('create' as const) },
    { weight: 4, arbitrary: fc.constant('update' as const) },
    { weight: 1, arbitrary: fc.constant('delete' as const) },
    ...(hasDrafts(kind) ? draftActions : []),
  );
  return fc
    .record({
      action,
      locale: fc.constantFrom(...LOCALES),
      status: fc.constantFrom('draft', 'published'),
      items: itemsOf(kind),
    })
    .map(({ action: chosen, locale, status, items }) => ({
      kind,
      action: chosen,
      items: items.slice(0, chosen === 'delete' ? 2 : MAX_ITEMS).map((item) => ({
        ...item,
        options: {
          ...(isLocalized(kind) ? { locale } : {}),
          ...(hasDrafts(kind) && (chosen === 'create' || chosen === 'update') ? { status } : {}),
        },
      })),
    }));
};

/** Documents that the other batches find. */
const createdBatch = (kind: Kind): fc.Arbitrary<Batch> =>
  fc
    .record({ items: itemsOf(kind), status: fc.constantFrom('draft', 'published') })
    .map(({ items, status }): Batch => ({
      kind,
      action: 'create',
      items: items.map((item) => ({ ...item, options: hasDrafts(kind) ? { status } : {} })),
    }));

/** Sequences of batches. Later ones find the documents of the ones before. */
export const batches: fc.Arbitrary<readonly Batch[]> = fc
  .tuple(
    fc.tuple(...[...KINDS, 'both' as const].map(createdBatch)),
    fc.array(fc.constantFrom<Kind>('both', 'both', 'both', ...KINDS).chain(batchOf), {
      minLength: 15,
      maxLength: 15,
    }),
  )
  .map(([created, changed]) => [...created, ...changed]);
