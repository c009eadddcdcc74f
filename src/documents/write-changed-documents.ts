import { defined } from '../lib/defined.js';
import type { ParsedInput } from '../validation/input.js';
import { createLinkChanges } from './links/apply/link-changes.js';
import { hasPendingLinks } from './links/apply/place-published.js';
import { planColumns, planLists } from './links/plan/plan-links.js';
import type { LinkPlan } from './links/plan/plan-links.js';
import { documentsToLock } from './links/targets/lock-related-documents.js';
import { combine, combineList, runPrefetch } from './prefetch.js';
import { checkDocument, prepareDocument } from './prepare-document.js';
import type { WriteContext } from './write-context.js';
import { writeVersionsTogether } from './write-versions.js';

/** One locale of a locked document, and what is written to it. */
export interface ChangedDocument {
  readonly context: WriteContext;
  readonly parsed: ParsedInput;
}

/** A write changes what other writes of the same statements look at, so that each has to be done alone. */
export class DependentWrites extends Error {
  override readonly name = 'DependentWrites';
}

/** Links of other documents, and places in lists that several share, depend on the order of writes. */
const assertIndependent = ({ context, writes, lookup }: LinkPlan): void => {
  const isPlaced = context.publish && writes.some((write) => hasPendingLinks(context, write));
  if (isPlaced || documentsToLock(writes, lookup).size > 0) throw new DependentWrites();
};

/**
 * Writes locales of existing documents of one type with as few statements as possible. No links are sent with
 * them.
 *
 * @throws `request/invalid-relation`, `request/invalid-values`, DependentWrites
 */
export async function writeChangedDocuments(documents: readonly ChangedDocument[]): Promise<void> {
  const [first] = documents;
  if (first === undefined) return;
  const { tx, database } = first.context;
  const prepared = documents.map(({ context, parsed }) => prepareDocument(context, parsed));
  const loaded = await runPrefetch(
    tx,
    database.dialect.expressions,
    combineList(prepared.map(({ relations, checks }) => combine({ relations, issues: checks }))),
  );
  const changes = createLinkChanges();
  const plans: LinkPlan[] = [];
  for (const [index, { context, parsed }] of documents.entries()) {
    const known = defined(loaded[index], 'What a write has to know');
    const plan = await checkDocument(context, parsed, known, changes);
    assertIndependent(plan);
    plans.push(plan);
  }
  const versionIds = await writeVersionsTogether(
    plans.map((plan, index) => ({
      context: plan.context,
      changes: { ...prepared[index]?.fields, ...planColumns(plan) },
    })),
  );
  for (const [index, plan] of plans.entries()) {
    planLists(plan, defined(versionIds[index], 'The versions of a document'));
    plan.issues.throwIfAny();
  }
  await changes.apply(first.context);
}
