import { defined } from '../lib/defined.js';
import { getOrCreate } from '../lib/memoize.js';
import type { Link } from '../model/model.js';
import type { ParsedInput } from '../validation/input.js';
import { createLinkChanges } from './links/apply/link-changes.js';
import { planColumns, planLists } from './links/plan/plan-links.js';
import type { LinkPlan } from './links/plan/plan-links.js';
import type { LoadedRelationWrite } from './links/relation-write.js';
import { combine, combineList, runPrefetch } from './prefetch.js';
import { checkDocument, prepareDocument } from './prepare-document.js';
import type { LoadedDocument } from './prepare-document.js';
import type { WriteContext } from './write-context.js';
import { writeVersionsTogether } from './write-versions.js';

interface NewDocumentWrite {
  /** The document has no row yet. */
  readonly context: WriteContext;
  readonly parsed: ParsedInput;
}

/**
 * Appends the documents' links to the inverse sides' lists one after the other. What was loaded is the last
 * position before all of them.
 */
const createAppender = (): ((write: LoadedRelationWrite) => LoadedRelationWrite) => {
  const appended = new Map<Link, Map<string, number>>();
  return (write) => {
    const counts = getOrCreate(appended, write.mapping.link, () => new Map<string, number>());
    const positions = new Map<string, number>();
    for (const [documentId, last] of write.stored.lastPositionByTarget) {
      const count = counts.get(documentId) ?? 0;
      positions.set(documentId, last + count);
      counts.set(documentId, count + 1);
    }
    return { ...write, stored: { ...write.stored, lastPositionByTarget: positions } };
  };
};

/** Each of these documents is checked as if it were written after the ones before it. */
const planAll = async (
  writes: readonly NewDocumentWrite[],
  loaded: readonly LoadedDocument[],
): Promise<readonly LinkPlan[]> => {
  const changes = createLinkChanges();
  const append = createAppender();
  const plans: LinkPlan[] = [];
  for (const [index, { context, parsed }] of writes.entries()) {
    const { relations, issues } = defined(loaded[index], 'What a new document has to know');
    const links = { ...relations, writes: relations.writes.map(append) };
    plans.push(await checkDocument(context, parsed, { relations: links, issues }, changes));
  }
  return plans;
};

/**
 * Writes new documents of one type with as few statements as possible. Their links change no other document
 * than by being appended to the inverse sides' lists, and their unique values differ.
 *
 * @throws `request/invalid-relation`, `request/invalid-values`
 */
export async function writeNewDocuments(writes: readonly NewDocumentWrite[]): Promise<void> {
  const [first] = writes;
  if (first === undefined) return;
  const { tx, type, database, documentTableOf } = first.context;
  const prepared = writes.map(({ context, parsed }) => prepareDocument(context, parsed));
  const loaded = await runPrefetch(
    tx,
    database.dialect.expressions,
    combineList(prepared.map(({ relations, checks }) => combine({ relations, issues: checks }))),
  );
  const plans = await planAll(writes, loaded);
  const insertion = documentTableOf(type).insert(writes.map(({ context }) => context.documentId));
  await tx.execute(insertion.sql, insertion.parameters);
  const versionIds = await writeVersionsTogether(
    plans.map((plan, index) => ({
      context: plan.context,
      changes: { ...prepared[index]?.fields, ...planColumns(plan) },
    })),
  );
  for (const [index, plan] of plans.entries()) {
    planLists(plan, defined(versionIds[index], 'The versions of a new document'));
    plan.issues.throwIfAny();
  }
  await plans[0]?.changes.apply(first.context);
}
