import { defined } from '../../lib/assert.js';
import { getOrCreate } from '../../lib/collections.js';
import type { JsonValue } from '../../lib/stored-value.js';
import { storedTarget, typeOf } from '../../model/lookup.js';
import { applyListOperation, applyToOne } from '../links/ordering.js';
import type { ListOperation, Placement } from '../links/ordering.js';
import { hideInvisibleTargets, prefetchDisallowedFiles } from '../links/permitted-targets.js';
import { planColumns } from '../links/plan-links.js';
import type { ColumnPlan, LinkPlan } from '../links/plan-links.js';
import { isListCopied } from '../links/plan-owner-links.js';
import { linkingRowIds, prefetchLinks } from '../links/prefetch-links.js';
import type { OwnerWrite } from '../links/prefetch-links.js';
import { isShared, relatedLocale, relatedType } from '../links/relation-mapping.js';
import type { LoadedRelationWrite, RelationMapping, RelationWrite } from '../links/relation-mapping.js';
import {
  allRefs,
  connectOnce,
  findTarget,
  missingReference,
  prefetchTargets,
  requiredLocale,
} from '../links/resolve-targets.js';
import type { TargetLookup, TargetRequest } from '../links/resolve-targets.js';
import type { ComponentLink, LinkRef, ParsedInput } from '../validation/input.js';
import { invalidValue, throwIssues } from '../validation/issues.js';
import type { Issue } from '../validation/issues.js';
import { assertMaySetOwners } from './caller-links.js';
import { documentsToLock, lockRelatedDocuments } from './lock-documents.js';
import type { DocumentIdsByType } from './lock-documents.js';
import type { ParsedWrite } from './parse-writes.js';
import { combine, combineList, mapPrefetch, resolvedPrefetch, runPrefetch } from './prefetch.js';
import type { Prefetch } from './prefetch.js';
import type { FieldValues } from './table-statements.js';
import { prefetchTakenComponentValues, prefetchTakenValues } from './unique-values.js';
import { parsedFields } from './version-statements.js';
import { BatchConflict, inTurns, primaryRow, publishedRow } from './write-context.js';
import type { WriteContext } from './write-context.js';
import { contentAfter, finalContent } from './write-versions.js';
import type { ContentAfter } from './write-versions.js';

const targetLocale = ({ model, locale, locales }: WriteContext, ref: LinkRef): string =>
  relatedLocale(typeOf(model, ref.type), locale, ref.locale ?? locales.defaultCode());

/** Returns the documents that links inside components refer to. */
function componentTargetRequests(
  context: WriteContext,
  links: readonly ComponentLink[],
): readonly TargetRequest[] {
  return links.flatMap(({ operation }) =>
    allRefs(operation).map((ref) => ({
      type: typeOf(context.model, ref.type),
      ref,
      locale: targetLocale(context, ref),
    })),
  );
}

/** Returns the operation with stored targets in place of references. */
const resolveComponentOperation = (
  context: WriteContext,
  { attribute, operation, path }: ComponentLink,
  lookup: TargetLookup,
): ListOperation => {
  const stored = ({ type }: LinkRef, documentId: string): string =>
    storedTarget(attribute, { type, documentId });
  const find = (ref: LinkRef): string =>
    stored(ref, findTarget(lookup, ref, targetLocale(context, ref), path));
  const unverifiedId = (ref: LinkRef): string | null => {
    const documentId = ref.documentId ?? lookup.find(ref.type, ref);
    return documentId === null ? null : stored(ref, documentId);
  };
  const positionId = (ref: LinkRef): string | null =>
    lookup.isHidden(ref.type, ref) ? null : unverifiedId(ref);
  if (operation.kind === 'set') return { kind: 'set', targets: operation.targets.map(find) };
  const placements = operation.connect.map(({ ref, position }): Placement => ({
    key: find(ref),
    position: 'ref' in position ? { at: position.at, reference: positionId(position.ref) } : position,
  }));
  return {
    kind: 'change',
    connect: connectOnce(placements, path),
    disconnect: operation.disconnect.flatMap((ref) => unverifiedId(ref) ?? []),
  };
};

/** Returns a copy of a component value with a new value at a path. */
const withMember = (value: JsonValue | undefined, path: readonly string[], member: JsonValue): JsonValue => {
  const [name, ...rest] = path;
  if (name === undefined) return member;
  if (Array.isArray(value)) return value.with(Number(name), withMember(value[Number(name)], rest, member));
  const item = (value ?? {}) as Readonly<Record<string, JsonValue>>;
  return { ...item, [name]: withMember(item[name], rest, member) };
};

const linkedValue = (context: WriteContext, link: ComponentLink, lookup: TargetLookup): JsonValue => {
  const { attribute, current, isRequired, path } = link;
  const operation = resolveComponentOperation(context, link, lookup);
  const onMissing = (): never => {
    throw missingReference(path);
  };
  const targets = attribute.many
    ? applyListOperation(current, operation, onMissing)
    : applyToOne(current, operation);
  const [first] = targets;
  if (first === undefined && !attribute.many && isRequired) throw invalidValue(path, 'must be set');
  return attribute.many ? [...targets] : (first ?? null);
};

/**
 * Returns the values of components with the documents that they link.
 *
 * @throws `request/invalid-relation` for a target that does not exist, `request/invalid-values` for a
 *   required link that is left empty
 */
function withComponentLinks(
  context: WriteContext,
  { components, componentLinks }: ParsedInput,
  lookup: TargetLookup,
): ParsedInput['components'] {
  if (componentLinks.length === 0) return components;
  const linked = new Map(components);
  for (const link of componentLinks) {
    const [name, ...path] = link.path;
    const attribute = defined(name, 'The attribute of a component');
    const value = linkedValue(context, link, lookup);
    linked.set(attribute, withMember(linked.get(attribute), path, value));
  }
  return linked;
}

/** A parsed write, and the relations that it changes. */
interface RelatedWrite extends ParsedWrite {
  readonly writes: readonly RelationWrite[];
}

/** True if the condition of a to-one attribute requires it after the write. */
const isRequiredByCondition = ({ attribute }: RelationMapping, { requiredLinks }: ParsedInput): boolean =>
  attribute.condition !== undefined && !attribute.many && requiredLinks.has(attribute.name);

/** Returns the relation and media attributes whose links are changed, published, copied or required. */
const findRelationWrites = (
  context: WriteContext,
  parsed: ParsedInput,
  mappings: readonly RelationMapping[],
): readonly RelationWrite[] =>
  mappings.flatMap((mapping) => {
    const operation = parsed.links.get(mapping.attribute.name) ?? null;
    const isRead =
      mapping.attribute.side === 'owner' &&
      (isListCopied(context, isShared(mapping)) || isRequiredByCondition(mapping, parsed));
    return operation !== null || isRead ? [{ mapping, operation }] : [];
  });

/** Returns the documents that a write refers to. */
const targetRequests = ({ context, parsed, writes }: RelatedWrite): readonly TargetRequest[] => [
  ...writes.flatMap(({ mapping, operation }) =>
    (operation === null ? [] : allRefs(operation)).map((ref) => ({
      type: relatedType(mapping, ref.type),
      ref,
      locale: requiredLocale(context, mapping, ref),
    })),
  ),
  ...componentTargetRequests(context, parsed.componentLinks),
];

/** The stored rows that writes depend on. They are loaded again after each round of locks. */
interface Relations {
  readonly lookup: TargetLookup;
  /** The writes of each document, in order. */
  readonly writes: readonly (readonly LoadedRelationWrite[])[];
}

const prefetchStoredLinks = (
  related: readonly RelatedWrite[],
): Prefetch<ReadonlyMap<RelationWrite, LoadedRelationWrite>> => {
  const byMapping = new Map<RelationMapping, OwnerWrite[]>();
  for (const { context, writes } of related)
    for (const write of writes) getOrCreate(byMapping, write.mapping, () => []).push({ context, write });
  const parts = [...byMapping].map(([mapping, writes]) =>
    mapPrefetch(prefetchLinks(mapping, writes), (stored) =>
      writes.map(({ write }, index): readonly [RelationWrite, LoadedRelationWrite] => [
        write,
        { ...write, stored: defined(stored[index], 'The stored links of a write') },
      ]),
    ),
  );
  return mapPrefetch(combineList(parts), (found) => new Map(found.flat()));
};

const prefetchRelations = (related: readonly RelatedWrite[]): Prefetch<Relations> => {
  const { expressions } = defined(related[0], 'A write').context.database.dialect;
  const parts = combine({
    lookup: prefetchTargets(expressions, related.flatMap(targetRequests)),
    stored: prefetchStoredLinks(related),
  });
  return mapPrefetch(parts, ({ lookup, stored }) => ({
    lookup,
    writes: related.map(({ writes }) =>
      writes.map((write) => defined(stored.get(write), 'The stored links of a write')),
    ),
  }));
};

/** Finds values and files that conflict with other rows. */
const prefetchIssues = (related: readonly RelatedWrite[]): Prefetch<readonly Issue[]> => {
  const contents = related.map(({ context, parsed }) => ({
    context,
    content: finalContent(context, parsedFields(context.type, parsed)),
  }));
  const parts = related.flatMap(({ context, parsed }) => [
    prefetchTakenComponentValues(context, parsed.componentUniques),
    prefetchDisallowedFiles(context, parsed),
  ]);
  return mapPrefetch(combineList([prefetchTakenValues(contents), ...parts]), (issues) => issues.flat());
};

/** Returns the documents that the stored versions link. */
const linkedTargets = (
  context: WriteContext,
  { mapping, stored: { entries } }: LoadedRelationWrite,
): readonly string[] => {
  const { link } = mapping;
  if (link.kind !== 'column') {
    const ids = new Set(linkingRowIds(context, mapping));
    return entries.flatMap(({ sourceId, targetDocumentId }) => (ids.has(sourceId) ? [targetDocumentId] : []));
  }
  return [primaryRow(context), publishedRow(context)].flatMap((row) => {
    const target = row?.values[link.field];
    return typeof target === 'string' ? [target] : [];
  });
};

/** Asserts that no two documents of a batch link the same target, if a target can have only one owner. */
const assertDistinctTargets = (related: readonly RelatedWrite[], { writes }: Relations): void => {
  const owners = new Map<RelationMapping, Map<string, string>>();
  for (const [index, { context }] of related.entries())
    for (const write of writes[index] ?? []) {
      if (!write.mapping.link.exclusive) continue;
      const byTarget = getOrCreate(owners, write.mapping, () => new Map());
      for (const target of linkedTargets(context, write))
        if (getOrCreate(byTarget, target, () => context.documentId) !== context.documentId)
          throw new BatchConflict();
    }
};

/** Returns the other documents whose links the writes change. */
const relatedDocuments = ({ lookup, writes }: Relations): DocumentIdsByType =>
  documentsToLock(writes.flat(), lookup);

/** Maximum number of rounds of loading and locking. A round can find newly linked documents. */
const MAX_LOCK_ROUNDS = 4;

interface LoadedWrites {
  readonly related: readonly RelatedWrite[];
  readonly relations: Relations;
}

/**
 * Loads the rows for validating writes and planning their links, in one statement. If other documents must be
 * locked, loads the relations again, since they may have changed before the lock.
 *
 * @throws `request/invalid-values`; BatchConflict if the batch changes links of other documents
 */
export async function loadRelated(parsed: readonly ParsedWrite[]): Promise<LoadedWrites> {
  const related = parsed.map((write): RelatedWrite => ({
    ...write,
    writes: findRelationWrites(write.context, write.parsed, write.context.relationsOf(write.context.type)),
  }));
  const { context } = defined(related[0], 'A write');
  const { driver, expressions } = context.database.dialect;
  const load = (issues: Prefetch<readonly Issue[]>) =>
    runPrefetch(context.tx, expressions, combine({ relations: prefetchRelations(related), issues }));
  const { issues, ...first } = await load(prefetchIssues(related));
  let { relations } = first;
  if (related.length > 1) {
    if (issues.length > 0 || relatedDocuments(relations).size > 0) throw new BatchConflict();
    assertDistinctTargets(related, relations);
    return { related, relations };
  }
  let locked: DocumentIdsByType = new Map();
  for (let round = 1; !driver.hasSingleWriter && round <= MAX_LOCK_ROUNDS; round += 1) {
    const lockedNow = await lockRelatedDocuments(context, relatedDocuments(relations), locked);
    if (lockedNow === locked || round === MAX_LOCK_ROUNDS) break;
    locked = lockedNow;
    ({ relations } = await load(resolvedPrefetch([])));
  }
  throwIssues(issues);
  return { related, relations };
}

/** A valid write, with the values of its versions and the plan of its links. */
export interface CheckedWrite extends ParsedWrite {
  /** The scalars, components and column links that change. */
  readonly fields: FieldValues;
  readonly after: ContentAfter;
  readonly plan: LinkPlan;
  readonly columns: ColumnPlan;
}

/**
 * Asserts that the linked documents exist and are visible to the caller, and plans the values of rows.
 *
 * @throws `request/invalid-relation`, `request/invalid-values`, `request/owner-forbidden`
 */
export async function checkWrites({ related, relations }: LoadedWrites): Promise<readonly CheckedWrite[]> {
  return inTurns([...related.entries()], async ([index, { context, parsed }]): Promise<CheckedWrite> => {
    const lookup = await hideInvisibleTargets(context, parsed, relations.lookup);
    const writes = defined(relations.writes[index], 'The relations of a write');
    assertMaySetOwners(context, writes, lookup);
    const linked = { ...parsed, components: withComponentLinks(context, parsed, lookup) };
    const plan: LinkPlan = {
      context,
      writes,
      requiredLinks: parsed.requiredLinks,
      lookup,
    };
    const columns = planColumns(plan);
    const fields = { ...parsedFields(context.type, linked), ...columns.values };
    return { context, parsed, fields, after: contentAfter(context, fields), plan, columns };
  });
}
