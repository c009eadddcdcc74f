import fc from 'fast-check';
import { hasDrafts, isLocalized, isMany, KINDS } from '../relation-kinds.js';
import type { Kind, ReferenceOperation } from '../relation-kinds.js';
import { membersOf, MORPH_OWNER, TWO_WAY } from './project.js';
import { LOCALES } from './harness.js';
import type { RandomTestHarness } from './harness.js';
import type { RelationChange } from './snapshots.js';
import type { Changes } from './values.js';
import { NUMBER, pick, refTo, changeOf } from './arbitrary-changes.js';
import type { MemberLocation } from './arbitrary-changes.js';

type ForVersion<T> = (memberLocation: Omit<MemberLocation, 'name'>) => T;

const CHANGES: fc.Arbitrary<ForVersion<Changes>> = fc
  .record(
    Object.fromEntries(
      Object.entries(membersOf(MORPH_OWNER)).map(([name, member]) => [name, changeOf(member)]),
    ),
    { requiredKeys: [] },
  )
  .map(
    (changes) => (memberLocation) =>
      Object.fromEntries(
        Object.entries(changes).flatMap(([name, make]) => {
          const change =
            membersOf(memberLocation.kind)[name] === undefined
              ? null
              : (make?.({ ...memberLocation, name }) ?? null);
          return change === null ? [] : [[name, change]];
        }),
      ),
  );

/** Sets or changes a two-way relation of the version's type, on either side. */
const RELATION: fc.Arbitrary<ForVersion<RelationChange | null>> = fc
  .record({
    relation: fc.nat(60),
    isSet: fc.boolean(),
    connect: fc.array(NUMBER, { maxLength: 3 }),
    disconnect: fc.array(NUMBER, { maxLength: 2 }),
  })
  .map(({ relation: number, isSet, connect, disconnect }) => ({ harness, kind, locale }) => {
    const sides = TWO_WAY.flatMap((relation) => [
      ...(relation.owner === kind ? [{ relation, side: 'owner' } as const] : []),
      ...(relation.target === kind ? [{ relation, side: 'inverse' } as const] : []),
    ]);
    const ofOneType = sides.filter(({ relation: { owner, target } }) => owner === target);
    // A type's relations to itself are few among all, but both of their ends change with one document.
    const side = pick([...sides, ...ofOneType, ...ofOneType], number);
    if (side === undefined) return null;
    const relatedKind = side.side === 'owner' ? side.relation.target : side.relation.owner;
    const documentIds = (numbers: readonly number[]): readonly string[] => [
      ...new Set(
        numbers.flatMap((each) => refTo({ harness, locale }, relatedKind, each).map((ref) => ref.documentId)),
      ),
    ];
    const targets = isMany(side.relation, side.side)
      ? documentIds(connect)
      : documentIds(connect).slice(0, 1);
    const operation: ReferenceOperation = isSet
      ? { kind: 'set', targets }
      : {
          kind: 'change',
          connect: targets,
          disconnect: documentIds(disconnect).filter((each) => !targets.includes(each)),
        };
    return { ...side, operation };
  });

/** One operation. Its description is printed if the sequence fails. */
class Operation implements fc.AsyncCommand<RandomTestHarness, RandomTestHarness> {
  #description: string;

  constructor(
    name: string,
    private readonly isPossible: (harness: RandomTestHarness) => boolean,
    private readonly work: (harness: RandomTestHarness) => Promise<string>,
  ) {
    this.#description = name;
  }

  check(harness: Readonly<RandomTestHarness>): boolean {
    return this.isPossible(harness as RandomTestHarness);
  }

  async run(_model: RandomTestHarness, harness: RandomTestHarness): Promise<void> {
    this.#description = await this.work(harness);
  }

  toString(): string {
    return this.#description;
  }
}

const KIND = fc.constantFrom(...KINDS, 'both', 'both');
const LOCALE = fc.constantFrom(...LOCALES, 'en');

/** Documents per kind. More of them would make sequences slower without new cases. */
const MAX_DOCUMENTS = 3;

const CREATE = fc
  .record({
    kind: KIND,
    locale: LOCALE,
    publish: fc.boolean(),
    changes: CHANGES,
    relation: fc.option(RELATION),
  })
  .map(
    ({ kind, locale, publish, changes, relation }) =>
      new Operation(
        'create',
        (harness) => harness.documents(kind).length < MAX_DOCUMENTS,
        (harness) => {
          const memberLocation = {
            harness,
            kind,
            documentId: null,
            locale: isLocalized(kind) ? locale : '-',
          };
          return harness.write({
            kind,
            documentId: null,
            locale: memberLocation.locale,
            publish,
            changes: changes(memberLocation),
            relation: relation?.(memberLocation) ?? null,
          });
        },
      ),
  );

const UPDATE = fc
  .record({
    kind: KIND,
    number: NUMBER,
    locale: LOCALE,
    publish: fc.boolean(),
    changes: fc.option(CHANGES),
    relation: fc.option(RELATION),
  })
  .map(
    ({ kind, number, locale, publish, changes, relation }) =>
      new Operation(
        'update',
        (harness) => harness.documents(kind).length > 0,
        (harness) => {
          const memberLocation = {
            harness,
            kind,
            documentId: pick(harness.documents(kind), number) ?? null,
            locale: isLocalized(kind) ? locale : '-',
          };
          return harness.write({
            kind,
            documentId: memberLocation.documentId,
            locale: memberLocation.locale,
            publish,
            changes: changes?.(memberLocation) ?? {},
            relation: relation?.(memberLocation) ?? null,
          });
        },
      ),
  );

const onVersion = (
  name: string,
  kinds: readonly Kind[],
  act: (harness: RandomTestHarness, kind: Kind, documentId: string, locale: string) => Promise<string>,
): fc.Arbitrary<Operation> =>
  fc.record({ kind: fc.constantFrom(...kinds), number: NUMBER, locale: NUMBER }).map(
    ({ kind, number, locale }) =>
      new Operation(
        name,
        (harness) => harness.documents(kind).length > 0,
        (harness) => {
          const documentId = pick(harness.documents(kind), number) ?? '';
          return act(harness, kind, documentId, pick(harness.locales(documentId), locale) ?? '-');
        },
      ),
  );

const DRAFTED = KINDS.filter(hasDrafts);

const FILE = fc.record({ number: NUMBER, isRemoved: fc.boolean() }).map(
  ({ number, isRemoved }) =>
    new Operation(
      'file',
      () => true,
      (harness) => {
        const documentId = isRemoved ? pick(harness.documents('file'), number) : undefined;
        return documentId === undefined ? harness.createFile() : harness.removeFile(documentId);
      },
    ),
);

/** All operations. Those that occur several times are chosen more often. */
export const OPERATIONS: fc.Arbitrary<Operation>[] = [
  CREATE,
  CREATE,
  CREATE,
  CREATE,
  ...Array.from({ length: 10 }, () => UPDATE),
  FILE,
  onVersion('publish', DRAFTED, (harness, kind, documentId, locale) =>
    harness.publish(kind, documentId, locale),
  ),
  onVersion('unpublish', DRAFTED, (harness, kind, documentId, locale) =>
    harness.unpublish(kind, documentId, locale),
  ),
  onVersion('discard', DRAFTED, (harness, kind, documentId, locale) =>
    harness.discard(kind, documentId, locale),
  ),
  onVersion('remove', KINDS, (harness, kind, documentId, locale) => harness.remove(kind, documentId, locale)),
  onVersion('remove all', KINDS, (harness, kind, documentId) => harness.remove(kind, documentId, null)),
];
