import type { ParsedInput } from '../validation/input.js';
import { copyInverse } from './links/apply/copy-inverse.js';
import { createLinkChanges } from './links/apply/link-changes.js';
import { placePublished } from './links/apply/place-published.js';
import { planColumns, planLists } from './links/plan/plan-links.js';
import type { RelationMapping } from './links/relation-mapping.js';
import { documentsToLock, lockRelatedDocuments } from './links/targets/lock-related-documents.js';
import type { DocumentIdsByType } from './links/targets/lock-related-documents.js';
import { combine, resolvedPrefetch, runPrefetch } from './prefetch.js';
import { checkDocument, prepareDocument } from './prepare-document.js';
import type { LoadedDocument, PreparedDocument } from './prepare-document.js';
import { hasPendingEdits, primaryRow } from './write-context.js';
import type { WriteContext } from './write-context.js';
import { writeVersions } from './write-versions.js';

/** Each round of loading and locking can find documents that were linked since the round before. */
const MAX_LOCK_ROUNDS = 4;

/**
 * Loads everything in one statement. If other documents then have to be locked, loads the relations again,
 * since they may have changed before the lock.
 */
const loadLocked = async (
  context: WriteContext,
  { relations, checks }: PreparedDocument,
): Promise<LoadedDocument> => {
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

/**
 * Returns the inverse sides to publish with this document, if it has been saved before: those of two-way
 * relations on whichever side their drafts were edited, those of polymorphic ones where this draft was. A
 * list that is set as a whole now is the same in both versions already.
 */
export const copiedInverses = (
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
  const prepared = prepareDocument(context, parsed);
  const loaded = await loadLocked(context, prepared);
  const changes = createLinkChanges();
  const plan = await checkDocument(context, parsed, loaded, changes);
  const versionIds = await writeVersions(context, Object.assign({}, prepared.fields, planColumns(plan)));
  planLists(plan, versionIds);
  plan.issues.throwIfAny();
  await changes.apply(context);
  await placePublished(context, plan.writes, versionIds);
  const inverses = copiedInverses(context, parsed, context.relationsOf(context.type));
  await copyInverse(context, inverses, { from: 'draft', to: 'published' });
}
