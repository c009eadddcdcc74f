import type { ParsedInput } from '../validation/input.js';
import { createIssueList } from '../validation/issues.js';
import type { Issue } from '../validation/issues.js';
import type { LinkChanges } from './links/apply/link-changes.js';
import { componentTargetRequests, fillComponentLinks } from './links/plan/component-links.js';
import type { LinkPlan } from './links/plan/plan-links.js';
import { isListCopied } from './links/plan/plan-owner-list.js';
import { prefetchLinks } from './links/prefetch/prefetch-links.js';
import { isShared, relatedType } from './links/relation-mapping.js';
import type { RelationMapping } from './links/relation-mapping.js';
import type { LoadedRelationWrite, RelationWrite } from './links/relation-write.js';
import { prefetchDisallowedFiles } from './links/targets/allowed-files.js';
import { allRefs, requiredLocale } from './links/targets/resolve-links.js';
import { prefetchTargets } from './links/targets/target-lookup.js';
import type { TargetLookup, TargetRequest } from './links/targets/target-lookup.js';
import { hideInvisibleTargets } from './links/targets/visible-targets.js';
import { combine, combineList, mapPrefetch } from './prefetch.js';
import type { Prefetch } from './prefetch.js';
import type { FieldValues } from './rows/table-statements.js';
import { prefetchTakenComponentValues } from './unique-components.js';
import { prefetchTakenValues } from './unique-values.js';
import { parsedFields } from './version-fields.js';
import type { WriteContext } from './write-context.js';
import { finalContent } from './write-versions.js';

/** What a write knows about other documents. A new value is loaded after each round of locks. */
interface LoadedRelations {
  readonly writes: readonly LoadedRelationWrite[];
  readonly lookup: TargetLookup;
}

/** True if the values beside a to-one attribute require it. Before the write they need not have. */
const isRequiredByCondition = ({ attribute }: RelationMapping, { requiredLinks }: ParsedInput): boolean =>
  attribute.condition !== undefined && !attribute.many && requiredLinks.has(attribute.name);

/** Returns the relation and media attributes whose links are changed, published, copied or now required. */
export const findRelationWrites = (
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

/** Returns the documents that a write names. */
export const targetRequests = (
  context: WriteContext,
  writes: readonly RelationWrite[],
  parsed: ParsedInput,
): readonly TargetRequest[] => [
  ...writes.flatMap(({ mapping, operation }) =>
    (operation === null ? [] : allRefs(operation)).map((ref) => ({
      type: relatedType(mapping, ref.type),
      ref,
      locale: requiredLocale(context, mapping, ref),
    })),
  ),
  ...componentTargetRequests(context, parsed.componentLinks),
];

const prefetchRelations = (
  context: WriteContext,
  writes: readonly RelationWrite[],
  parsed: ParsedInput,
): Prefetch<LoadedRelations> =>
  combine<LoadedRelations>({
    lookup: prefetchTargets(context.database.dialect.expressions, targetRequests(context, writes, parsed)),
    writes: combineList(
      writes.map((write) => mapPrefetch(prefetchLinks(context, write), (stored) => ({ stored, ...write }))),
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

/** What a write changes, and what it has to know of other rows for that. */
export interface PreparedDocument {
  /** The scalars and components that are sent. */
  readonly fields: FieldValues;
  readonly relations: Prefetch<LoadedRelations>;
  readonly checks: Prefetch<readonly Issue[]>;
}

/** Finds out what a write of one locale of a document has to know of other rows. */
export function prepareDocument(context: WriteContext, parsed: ParsedInput): PreparedDocument {
  const fields = parsedFields(context.type, parsed);
  const writes = findRelationWrites(context, parsed, context.relationsOf(context.type));
  return {
    fields,
    relations: prefetchRelations(context, writes, parsed),
    checks: prefetchIssues(context, parsed, fields),
  };
}

/** What a write knows of other rows. */
export interface LoadedDocument {
  readonly relations: LoadedRelations;
  readonly issues: readonly Issue[];
}

/**
 * Validates a document against what is known of other rows, and puts the documents that its components link
 * into these. Returns what its links are planned from.
 *
 * @throws `request/invalid-relation`, `request/invalid-values`
 */
export async function checkDocument(
  context: WriteContext,
  parsed: ParsedInput,
  loaded: LoadedDocument,
  changes: LinkChanges,
): Promise<LinkPlan> {
  const lookup = await hideInvisibleTargets(context, parsed, loaded.relations.lookup);
  const issues = createIssueList(loaded.issues);
  issues.throwIfAny();
  fillComponentLinks(context, parsed.componentLinks, lookup);
  return {
    context,
    writes: loaded.relations.writes,
    requiredLinks: parsed.requiredLinks,
    lookup,
    changes,
    issues,
  };
}
