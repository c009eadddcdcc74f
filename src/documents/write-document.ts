import { createIssueList } from '../validation/issues.js';
import type { Issue, IssueList } from '../validation/issues.js';
import type { ParsedInput } from '../validation/input.js';
import { prefetchDisallowedFiles } from './links/targets/allowed-files.js';
import { componentTargetRequests, fillComponentLinks } from './links/plan/component-links.js';
import { copyInverse } from './links/apply/copy-inverse.js';
import { placePublished } from './links/apply/place-published.js';
import { createLinkChanges } from './links/apply/link-changes.js';
import type { LinkChanges } from './links/apply/link-changes.js';
import { documentsToLock, lockRelatedDocuments } from './links/targets/lock-related-documents.js';
import type { DocumentIdsByType } from './links/targets/lock-related-documents.js';
import { planInverse } from './links/plan/plan-inverse.js';
import { planOwnerColumn } from './links/plan/plan-owner-column.js';
import { isListCopied, planOwnerList } from './links/plan/plan-owner-list.js';
import type { WrittenVersionIds } from './links/plan/plan-owner-list.js';
import { prefetchLinks } from './links/prefetch/prefetch-links.js';
import { isShared, relatedType } from './links/relation-mapping.js';
import type { RelationMapping } from './links/relation-mapping.js';
import type { LoadedRelationWrite, RelationWrite } from './links/relation-write.js';
import { allRefs, requiredLocale } from './links/targets/resolve-links.js';
import { prefetchTargets } from './links/targets/target-lookup.js';
import type { TargetLookup, TargetRequest } from './links/targets/target-lookup.js';
import { hideInvisibleTargets } from './links/targets/visible-targets.js';
import { combine, combineList, mapPrefetch, resolvedPrefetch, runPrefetch } from './prefetch.js';
import type { Prefetch } from './prefetch.js';
import type { FieldValues } from './rows/table-statements.js';
import { prefetchTakenComponentValues } from './unique-components.js';
import { prefetchTakenValues } from './unique-values.js';
import { parsedFields } from './version-fields.js';
import { hasPendingEdits, primaryRow } from './write-context.js';
import type { WriteContext } from './write-context.js';
import { finalContent, writeVersions } from './write-versions.js';

/** Each round of loading and locking can find documents that were linked since the round before. */
const MAX_LOCK_ROUNDS = 4;

/** What a write knows about other documents. A new value is loaded after each round of locks. */
interface LoadedRelations {
  readonly writes: readonly LoadedRelationWrite[];
  readonly lookup: TargetLookup;
}

interface LinkPlan extends LoadedRelations {
  readonly context: WriteContext;
  readonly changes: LinkChanges;
  readonly issues: IssueList;
}

/** Returns the relation and media attributes whose links are changed, published or copied. */
const findRelationWrites = (
  context: WriteContext,
  parsed: ParsedInput,
  mappings: readonly RelationMapping[],
): readonly RelationWrite[] =>
  mappings.flatMap((mapping) => {
    const operation = parsed.links.get(mapping.attribute.name) ?? null;
    const isCopied = mapping.attribute.side === 'owner' && isListCopied(context, isShared(mapping));
    return operation !== null || isCopied ? [{ mapping, operation }] : [];
  });

const targetRequests = (context: WriteContext, writes: readonly RelationWrite[]): readonly TargetRequest[] =>
  writes.flatMap(({ mapping, operation }) =>
    (operation === null ? [] : allRefs(operation)).map((ref) => ({
      type: relatedType(mapping, ref.type),
      ref,
      locale: requiredLocale(context, mapping, ref),
    })),
  );

const prefetchRelations = (
  context: WriteContext,
  writes: readonly RelationWrite[],
  parsed: ParsedInput,
): Prefetch<LoadedRelations> =>
  combine<LoadedRelations>({
    lookup: prefetchTargets(context.database.dialect.expressions, [
      ...targetRequests(context, writes),
      ...componentTargetRequests(context, parsed.componentLinks),
    ]),
    writes: combineList(
      writes.map((write) => mapPrefetch(prefetchLinks(context, write), (stored) => ({ ...write, stored }))),
    ),
  });

const prefetchIssues = (
  context: WriteContext,
  parsed: ParsedInput,
  fields: FieldValues,
): Prefetch<readonly Issue[]> =>
  mapPrefetch(
    combineList([
      prefetchTakenValues(context, finalContent(context, fields)),
      prefetchTakenComponentValues(context, parsed.componentUniques),
      prefetchDisallowedFiles(context, parsed),
    ]),
    (issues) => issues.flat(),
  );

/**
 * Loads everything in one statement. If other documents then have to be locked, loads the relations again,
 * since they may have changed before the lock.
 */
const loadLocked = async (
  context: WriteContext,
  relations: Prefetch<LoadedRelations>,
  checks: Prefetch<readonly Issue[]>,
): Promise<{ readonly relations: LoadedRelations; readonly issues: readonly Issue[] }> => {
  const { driver, expressions } = context.database.dialect;
  const locked: DocumentIdsByType = new Map();
  let loaded = await runPrefetch(context.tx, expressions, combine({ relations, issues: checks }));
  if (driver.hasSingleWriter) return loaded;
  for (let round = 1; round <= MAX_LOCK_ROUNDS; round += 1) {
    const { writes, lookup } = loaded.relations;
    const hasLocked = await lockRelatedDocuments(context, documentsToLock(writes, lookup), locked);
    if (!hasLocked || round === MAX_LOCK_ROUNDS) break;
    const reload = combine({ relations, issues: resolvedPrefetch(loaded.issues) });
    loaded = await runPrefetch(context.tx, expressions, reload);
  }
  return loaded;
};

const checkRequired = (
  { context, issues }: LinkPlan,
  { attribute }: RelationMapping,
  isEmpty: boolean,
): void => {
  if (isEmpty && attribute.required && !attribute.many && context.publish)
    issues.add([attribute.name], 'must be set');
};

const planColumns = (plan: LinkPlan): FieldValues => {
  let values: FieldValues = {};
  for (const write of plan.writes) {
    const { link, attribute } = write.mapping;
    if (link.kind !== 'column' || attribute.side === 'inverse') continue;
    const outcome = planOwnerColumn(plan.context, write, link, plan.lookup, plan.changes);
    checkRequired(plan, write.mapping, outcome.documentId === null);
    values = { ...values, ...outcome.data };
  }
  return values;
};

const planLists = (plan: LinkPlan, versionIds: WrittenVersionIds): void => {
  for (const write of plan.writes) {
    const { link, attribute } = write.mapping;
    if (attribute.side === 'inverse')
      checkRequired(plan, write.mapping, planInverse({ ...plan, write, versionIds }).isEmpty);
    else if (link.kind !== 'column')
      checkRequired(plan, write.mapping, planOwnerList({ ...plan, write }, versionIds).isEmpty);
  }
};

/**
 * Returns the inverse sides to publish with this document, if it has been saved before: those of two-way
 * relations on whichever side their drafts were edited, those of polymorphic ones where this draft was. A
 * list that is set as a whole now is the same in both versions already.
 */
const copiedInverses = (
  context: WriteContext,
  parsed: ParsedInput,
  mappings: readonly RelationMapping[],
): readonly RelationMapping[] =>
  context.publish && primaryRow(context) !== undefined
    ? mappings.filter(
        ({ attribute, link }) =>
          parsed.links.get(attribute.name)?.kind !== 'set' &&
          (link.kind !== 'morph' || hasPendingEdits(context)),
      )
    : [];

/**
 * Writes one locale of a document: loads what has to be known about other documents, validates against that,
 * then writes versions and links.
 *
 * @throws `request/invalid-relation`, `request/invalid-values`
 */
export async function writeDocument(context: WriteContext, parsed: ParsedInput): Promise<void> {
  const mappings = context.relationsOf(context.type);
  const fields = parsedFields(context.type, parsed);
  const relationWrites = findRelationWrites(context, parsed, mappings);
  const { relations, issues: prefetchedIssues } = await loadLocked(
    context,
    prefetchRelations(context, relationWrites, parsed),
    prefetchIssues(context, parsed, fields),
  );
  const lookup = await hideInvisibleTargets(context, parsed, relations.lookup);
  const issues = createIssueList(prefetchedIssues);
  issues.throwIfAny();
  fillComponentLinks(context, parsed.componentLinks, lookup);
  const changes = createLinkChanges();
  const plan: LinkPlan = { ...relations, context, lookup, changes, issues };
  const versionIds = await writeVersions(context, { ...fields, ...planColumns(plan) });
  planLists(plan, versionIds);
  issues.throwIfAny();
  await changes.apply(context);
  await placePublished(context, relations.writes, versionIds);
  await copyInverse(context, copiedInverses(context, parsed, mappings), { from: 'draft', to: 'published' });
}
