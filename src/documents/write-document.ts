import { createFaultList } from '../validation/faults.js';
import type { FaultList } from '../validation/faults.js';
import type { ParsedInput } from '../validation/input.js';
import { askAllowedFiles } from './links/allowed-files.js';
import { askLinks } from './links/ask-links.js';
import { fillComponentLinks, wantComponentTargets } from './links/component-links.js';
import { copyInverse } from './links/copy-inverse.js';
import { hideInvisibleTargets } from './links/visible-targets.js';
import { createLinkChanges } from './links/link-changes.js';
import type { LinkChanges } from './links/link-changes.js';
import { isShared, peerType } from './links/link-view.js';
import type { LinkView } from './links/link-view.js';
import { createLinkWork } from './links/link-work.js';
import type { LinkWork } from './links/link-work.js';
import { lockPeers, peersOf } from './links/lock-peers.js';
import type { PeerSet } from './links/lock-peers.js';
import { planInverse } from './links/plan-inverse.js';
import { planOwnerColumn } from './links/plan-owner-column.js';
import { isCopied, planOwnerList } from './links/plan-owner-list.js';
import type { WrittenIds } from './links/plan-owner-list.js';
import { localeOf, namedRefs } from './links/resolve-links.js';
import { createTargetBook } from './links/target-book.js';
import type { TargetBook } from './links/target-book.js';
import { createProbe } from './probe.js';
import { askUniqueComponents } from './unique-components.js';
import { askUniques } from './unique-values.js';
import { parsedFields } from './version-fields.js';
import type { FieldValues } from './rows/table-statements.js';
import { hasPendingEdits } from './write-scope.js';
import type { WriteScope } from './write-scope.js';
import { finalContent, writeVersions } from './write-versions.js';

/** Rounds of asking and locking: each one may find documents that were linked meanwhile. */
const LOCK_ROUNDS = 4;

interface LinkPlan {
  readonly scope: WriteScope;
  readonly works: readonly LinkWork[];
  readonly book: TargetBook;
  readonly changes: LinkChanges;
  readonly faults: FaultList;
}

const createWorks = (scope: WriteScope, parsed: ParsedInput, views: readonly LinkView[]): readonly LinkWork[] =>
  views.flatMap((view) => {
    const operation = parsed.links.get(view.attribute.name) ?? null;
    const isNeeded = operation !== null || (view.attribute.side === 'owner' && isCopied(scope, isShared(view)));
    return isNeeded ? [createLinkWork(view, operation)] : [];
  });

const wantTargets = (scope: WriteScope, works: readonly LinkWork[], book: TargetBook): void => {
  for (const { view, operation } of works) {
    for (const ref of operation === null ? [] : namedRefs(operation)) book.want(peerType(view, ref.type), ref, localeOf(scope, view, ref));
  }
};

/** Asks everything in one statement; once more where other documents had to be locked before the answer could be trusted. */
const ask = async ({ scope, works, book }: LinkPlan, checks: (probe: ReturnType<typeof createProbe>) => void): Promise<void> => {
  const { dialect } = scope.context.database;
  const locked: PeerSet = new Map();
  for (let round = 1; round <= LOCK_ROUNDS; round += 1) {
    const probe = createProbe(dialect);
    book.ask(probe);
    for (const work of works) askLinks(probe, scope, work);
    if (round === 1) checks(probe);
    await probe.run(scope.tx);
    if (dialect.singleWriter || !(await lockPeers(scope, peersOf(works, book), locked))) return;
  }
};

const refuseEmpty = ({ scope, faults }: LinkPlan, { attribute }: LinkView, isEmpty: boolean): void => {
  if (isEmpty && attribute.required && !attribute.many && scope.publish) faults.add([attribute.name], 'must be set');
};

const planColumns = (plan: LinkPlan): FieldValues => {
  let data: FieldValues = {};
  for (const work of plan.works) {
    const { link, attribute } = work.view;
    if (link.kind !== 'column' || attribute.side === 'inverse') continue;
    const outcome = planOwnerColumn(plan.scope, work, link, plan.book, plan.changes);
    refuseEmpty(plan, work.view, outcome.documentId === null);
    data = { ...data, ...outcome.data };
  }
  return data;
};

const planLists = (plan: LinkPlan, written: WrittenIds): void => {
  for (const work of plan.works) {
    const { link, attribute } = work.view;
    if (attribute.side === 'inverse') refuseEmpty(plan, work.view, planInverse({ ...plan, work, written }).isEmpty);
    else if (link.kind !== 'column') refuseEmpty(plan, work.view, planOwnerList({ ...plan, work }, written).isEmpty);
  }
};

/**
 * Inverse sides whose draft edits may wait to be published with this document: where it was saved as a draft before. One that is set as a whole
 * now is the same in both versions already.
 */
const copiedInverses = (scope: WriteScope, parsed: ParsedInput, views: readonly LinkView[]): readonly LinkView[] =>
  scope.publish && hasPendingEdits(scope) ? views.filter(({ attribute }) => parsed.links.get(attribute.name)?.kind !== 'set') : [];

/**
 * Writes one version of a document that is locked and whose data are read: asks what it must know of other documents, refuses what does not
 * fit, then writes versions and links.
 * Throws `request/invalid-relation` and `request/invalid-values`.
 */
export async function writeDocument(scope: WriteScope, parsed: ParsedInput): Promise<void> {
  const { context, tx, type } = scope;
  const views = context.linksOf(type);
  const plan: LinkPlan = { scope, works: createWorks(scope, parsed, views), book: createTargetBook(), changes: createLinkChanges(), faults: createFaultList() };
  const { book, changes, faults } = plan;
  wantTargets(scope, plan.works, book);
  wantComponentTargets(scope, parsed.componentLinks, book);
  const fields = parsedFields(type, parsed);
  await ask(plan, (probe) => {
    askUniques(probe, scope, finalContent(scope, fields), faults);
    askUniqueComponents(probe, scope, parsed.componentUniques, faults);
    askAllowedFiles(probe, scope, parsed, faults);
  });
  await hideInvisibleTargets(scope, parsed, book);
  faults.throwIfAny();
  fillComponentLinks(scope, parsed.componentLinks, book);
  const written = await writeVersions(scope, { ...fields, ...planColumns(plan) });
  planLists(plan, written);
  faults.throwIfAny();
  await changes.apply(tx, context);
  await copyInverse(scope, copiedInverses(scope, parsed, views), { from: 'draft', to: 'published' });
}
