import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { defined } from '../../lib/defined.js';
import { areInversesEqual } from '../links/apply/copy-inverse.js';
import { createLinkChanges } from '../links/apply/link-changes.js';
import type { LinkChanges } from '../links/apply/link-changes.js';
import { planColumns, planLists } from '../links/plan/plan-links.js';
import type { LinkPlan } from '../links/plan/plan-links.js';
import type { WrittenVersionIds } from '../links/plan/plan-owner-list.js';
import { hasInverseOrder } from '../links/relation-mapping.js';
import type { RelationMapping } from '../links/relation-mapping.js';
import type { LoadedRelationWrite } from '../links/relation-write.js';
import { documentsToLock } from '../links/targets/lock-related-documents.js';
import { checkDocument } from '../prepare-document.js';
import type { FieldValues } from '../rows/table-statements.js';
import type { VersionRow } from '../rows/version-statements.js';
import { primaryRow, publishedRow } from '../write-context.js';
import type { WriteContext } from '../write-context.js';
import { copiedInverses } from '../write-document.js';
import { contentAfter, writeVersionsTogether } from '../write-versions.js';
import type { ContentAfter } from '../write-versions.js';
import { DependentWrites } from './dependent-writes.js';
import { createInversePositions } from './inverse-positions.js';
import type { InversePositions } from './inverse-positions.js';
import { loadTogether, prepareWrite, withStoredLinks } from './load-together.js';
import type { DocumentWrite, LoadedTogether, PreparedWrite } from './load-together.js';
import { placeTogether } from './place-together.js';
import type { PublishedPlaces } from './place-together.js';

/** Documents after which other requests get their turn. */
export const DOCUMENTS_PER_TURN = 50;

interface PlannedWrite extends Pick<PreparedWrite, 'context' | 'fields'> {
  readonly plan: LinkPlan;
  readonly after: ContentAfter;
}

/** Links of a version's columns, as they are known before the write. */
const putColumns = (
  positions: InversePositions,
  { link }: RelationMapping,
  row: string,
  ...sources: readonly (FieldValues | null | undefined)[]
): void => {
  if (link.kind !== 'column' || link.position === null) return;
  const valueOf = (field: string): unknown =>
    sources.find((values) => values?.[field] !== undefined)?.[field];
  const [target, position] = [valueOf(link.field), valueOf(link.position.field)];
  positions.put(
    link,
    row,
    typeof target === 'string' ? target : null,
    typeof position === 'number' ? position : null,
  );
};

const columnRows = (
  context: WriteContext,
): readonly (readonly [name: string, row: VersionRow | undefined])[] => [
  [`edited ${context.documentId}`, primaryRow(context)],
  [`published ${context.documentId}`, publishedRow(context)],
];

/** What is stored of the links that are sent, from which positions follow. */
const openPositions = (
  planned: readonly (Pick<PreparedWrite, 'context'> & { readonly stored: readonly LoadedRelationWrite[] })[],
  { links }: LoadedTogether,
): InversePositions => {
  const positions = createInversePositions();
  const isSent = (mapping: RelationMapping): boolean =>
    planned.some(({ stored }) =>
      stored.some((write) => write.mapping === mapping && write.operation !== null),
    );
  for (const [mapping, { lastPositions }] of links)
    if (hasInverseOrder(mapping.link) && isSent(mapping)) positions.open(mapping.link, lastPositions);
  for (const { context, stored } of planned)
    for (const { mapping, stored: found } of stored) {
      if (!positions.follows(mapping.link)) continue;
      if (mapping.link.kind === 'column')
        for (const [name, row] of columnRows(context)) putColumns(positions, mapping, name, row?.values);
      for (const { rowId, targetDocumentId, inversePosition } of found.entries)
        positions.put(mapping.link, rowId, targetDocumentId, inversePosition);
    }
  return positions;
};

/** Where the values of the published version are found after a write, from the first source that has them. */
const publishedContent = (
  context: WriteContext,
  { edited, publishedChanges }: ContentAfter,
): readonly (FieldValues | null)[] => {
  const published = publishedRow(context)?.values ?? null;
  const isInserted = published === null && context.publish && context.type.draftAndPublish;
  return isInserted ? [edited] : [publishedChanges, published];
};

/** Each of the documents is checked, and its columns planned, as if the ones before it were written. */
const planAll = async (
  prepared: readonly PreparedWrite[],
  loaded: LoadedTogether,
  changes: LinkChanges,
): Promise<{ readonly planned: readonly PlannedWrite[]; readonly positions: InversePositions }> => {
  const known = prepared.map(({ context, parsed, fields, writes }) => ({
    context,
    parsed,
    fields,
    stored: writes.map((write) => withStoredLinks(context, write, loaded.links)),
  }));
  const positions = openPositions(known, loaded);
  const planned: PlannedWrite[] = [];
  for (const { context, parsed, fields: sent, stored } of known) {
    const relations = { writes: stored, lookup: loaded.lookup };
    const checked = await checkDocument(context, parsed, { relations, issues: [] }, changes);
    const writes = checked.writes.map((write) =>
      write.mapping.link.kind === 'column' ? positions.complete(write, checked.lookup) : write,
    );
    const plan: LinkPlan = { ...checked, writes };
    if (documentsToLock(writes, plan.lookup).size > 0) throw new DependentWrites();
    const fields = Object.assign({}, sent, planColumns(plan));
    const after = contentAfter(context, fields);
    for (const { mapping } of writes) {
      if (mapping.link.kind !== 'column' || !positions.follows(mapping.link)) continue;
      putColumns(positions, mapping, `edited ${context.documentId}`, after.edited);
      const published = publishedContent(context, after);
      putColumns(positions, mapping, `published ${context.documentId}`, ...published);
    }
    planned.push({ context, fields, plan, after });
    if (planned.length % DOCUMENTS_PER_TURN === 0) await yieldToEventLoop();
  }
  return { planned, positions };
};

/** Has links that are published get into lists where they belong. */
const placing = (
  changes: LinkChanges,
  { documentId }: WriteContext,
  { published }: WrittenVersionIds,
  places: PublishedPlaces,
): LinkChanges => ({
  ...changes,
  insert: (mapping, entry) => {
    const place =
      entry.sourceId === published
        ? places.get(mapping)?.get(documentId)?.get(entry.targetDocumentId)
        : undefined;
    changes.insert(mapping, place === undefined ? entry : { ...entry, inversePosition: place });
  },
});

/** What the lists of all documents are planned with. */
interface ListPlanning {
  readonly changes: LinkChanges;
  readonly positions: InversePositions;
  readonly places: PublishedPlaces;
}

const planAllLists = (
  planned: readonly PlannedWrite[],
  versionIds: readonly WrittenVersionIds[],
  { changes, positions, places }: ListPlanning,
): void => {
  const noticed = positions.noticing(changes);
  for (const [index, { plan }] of planned.entries()) {
    const ids = defined(versionIds[index], 'The versions of a document');
    const writes = plan.writes.map((write) =>
      write.mapping.link.kind === 'column' ? write : positions.complete(write, plan.lookup),
    );
    const placed = places.size === 0 ? noticed : placing(noticed, plan.context, ids, places);
    planLists({ ...plan, writes, changes: placed }, ids);
    plan.issues.throwIfAny();
    for (const { mapping } of writes) {
      if (mapping.link.kind !== 'column' || ids.published === null) continue;
      for (const place of places.get(mapping)?.get(plan.context.documentId)?.values() ?? [])
        changes.move(mapping, ids.published, 'inverse', place);
    }
  }
};

const insertDocuments = async (documents: readonly DocumentWrite[]): Promise<void> => {
  const [first] = documents;
  if (first === undefined) return;
  const { tx, type, documentTableOf } = first.context;
  const { sql, parameters } = documentTableOf(type).insert(
    documents.map(({ context }) => context.documentId),
  );
  await tx.execute(sql, parameters);
};

interface WriteTogetherOptions {
  /** Whether the documents have no rows yet. */
  readonly areNew?: boolean;
  /** Whether the drafts are written with what is published. */
  readonly discardsDrafts?: boolean;
}

const assertInversesEqual = async (
  documents: readonly DocumentWrite[],
  discardsDrafts: boolean,
): Promise<void> => {
  const direction = discardsDrafts
    ? ({ from: 'published', to: 'draft' } as const)
    : ({ from: 'draft', to: 'published' } as const);
  const copies = documents.map(({ context, parsed }) => {
    const mappings = context.relationsOf(context.type);
    return { context, mappings: discardsDrafts ? mappings : copiedInverses(context, parsed, mappings) };
  });
  if (!(await areInversesEqual(copies, direction))) throw new DependentWrites();
};

/**
 * Writes one locale of each of several documents of one type with as few statements as possible, as if they
 * were written one after the other.
 *
 * @throws `request/invalid-relation`, `request/invalid-values`, DependentWrites; then what is written must be
 *   rolled back
 */
export async function writeTogether(
  documents: readonly DocumentWrite[],
  { areNew = false, discardsDrafts = false }: WriteTogetherOptions = {},
): Promise<void> {
  const [first] = documents;
  if (first === undefined) return;
  const prepared = documents.map(prepareWrite);
  const loaded = await loadTogether(first.context, prepared);
  const changes = createLinkChanges();
  const { planned, positions } = await planAll(prepared, loaded, changes);
  const places = await placeTogether(planned.map(({ plan }) => plan));
  await yieldToEventLoop();
  if (areNew) await insertDocuments(documents);
  const versionIds = await writeVersionsTogether(
    planned.map(({ context, fields, after }) => ({ context, changes: fields, after })),
  );
  await yieldToEventLoop();
  planAllLists(planned, versionIds, { changes, positions, places });
  await yieldToEventLoop();
  await changes.apply(first.context);
  if (!areNew) await assertInversesEqual(documents, discardsDrafts);
}
