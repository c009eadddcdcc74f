import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Transaction } from '../../database/database.js';
import { sql } from 'kysely';
import { getOrCreate } from '../../lib/memoize.js';
import { defined } from '../../lib/defined.js';
import type { ContentType } from '../../model/model.js';
import type { DocumentContext } from '../document-context.js';
import { fillGeneratedUids } from '../generated-uids.js';
import { inputsFromVersions } from '../input-from-version.js';
import { createEvent } from '../operations/run-write.js';
import type { VersionRow } from '../rows/version-statements.js';
import { DependentWrites } from '../together/dependent-writes.js';
import type { DocumentWrite } from '../together/load-together.js';
import { DOCUMENTS_PER_TURN, writeTogether } from '../together/write-together.js';
import { findRow, openWriteContext, primaryRow, primaryStatus } from '../write-context.js';
import { assertWrittenMetadata, createParseContext, timeAfter } from '../write-locale.js';
import { claimKey, claimValues, createClaims } from './claims.js';
import type { Claims } from './claims.js';
import type { DocumentChange } from './classify-items.js';

/** Locks documents and loads their versions. Throws unless all of them have the locale that is edited. */
const lockAll = async (
  context: DocumentContext,
  tx: Transaction,
  type: ContentType,
  changes: readonly DocumentChange[],
): Promise<ReadonlyMap<string, readonly VersionRow[]>> => {
  const documentIds = changes.map(({ params }) => params.documentId);
  const lock = context.documentTableOf(type).lock(documentIds);
  if ((await tx.execute(lock.sql, lock.parameters)) < documentIds.length) throw new DependentWrites();
  const versions = context.versionTableOf(type);
  const load = versions.loadAll(documentIds);
  const rows = new Map<string, VersionRow[]>();
  for (const row of (await tx.query(load.sql, load.parameters)).map(versions.read))
    getOrCreate(rows, row.documentId, () => []).push(row);
  const isEdited = ({ params, locale }: DocumentChange): boolean =>
    rows
      .get(params.documentId)
      ?.some((row) => row.locale === locale && row.status === primaryStatus(type)) === true;
  if (!changes.every(isEdited)) throw new DependentWrites();
  return rows;
};

const openChange = async (
  context: DocumentContext,
  tx: Transaction,
  { type, params: { documentId, access }, input, locale, publish }: DocumentChange,
  rows: readonly VersionRow[],
  claims: Claims,
): Promise<DocumentWrite> => {
  const writeContext = openWriteContext(context, {
    tx,
    type,
    documentId,
    locale,
    publish,
    rows,
    access,
    now: timeAfter(context.clock, rows),
  });
  assertWrittenMetadata(input, writeContext);
  const completeInput = await fillGeneratedUids(writeContext, input, (name, value) =>
    claims.has(claimKey(writeContext, name, value)),
  );
  const parsed = context.validatorOf(type).parse(completeInput, createParseContext(writeContext));
  claimValues(writeContext, parsed, claims, primaryRow(writeContext)?.values);
  return { context: writeContext, parsed };
};

/** What resets drafts to what is published, whose times they get. */
const openDiscards = async (
  context: DocumentContext,
  tx: Transaction,
  changes: readonly DocumentChange[],
  rowsOf: (change: DocumentChange) => readonly VersionRow[],
): Promise<readonly DocumentWrite[]> => {
  const discards = changes.map((change) => {
    const rows = rowsOf(change);
    const published = findRow({ rows }, change.locale, 'published');
    if (published === undefined) throw new DependentWrites();
    return { change, rows, published };
  });
  const { type } = defined(changes[0], 'A change');
  const inputs = await inputsFromVersions(
    context,
    tx,
    type,
    discards.map(({ published }) => published),
  );
  return discards.map(({ change: { params, locale }, rows, published }, index) => ({
    context: openWriteContext(context, {
      tx,
      type,
      documentId: params.documentId,
      locale,
      publish: false,
      rows,
      now: published.updatedAt,
    }),
    parsed: defined(inputs[index], 'What is published'),
  }));
};

const openChanges = async (
  context: DocumentContext,
  tx: Transaction,
  changes: readonly DocumentChange[],
  rowsOf: (change: DocumentChange) => readonly VersionRow[],
): Promise<readonly DocumentWrite[]> => {
  const claims = createClaims();
  const opened: DocumentWrite[] = [];
  for (const change of changes) {
    opened.push(await openChange(context, tx, change, rowsOf(change), claims));
    if (opened.length % DOCUMENTS_PER_TURN === 0) await yieldToEventLoop();
  }
  return opened;
};

const deletePublished = async (
  tx: Transaction,
  { database }: DocumentContext,
  { storage }: ContentType,
  changes: readonly DocumentChange[],
): Promise<void> => {
  const { expressions } = database.dialect;
  const documentIds = changes.map(({ params }) => params.documentId);
  const isListed = expressions.inList(sql`document_id`, 'text', expressions.encodeList('text', documentIds));
  const statement = sql`delete from ${sql.id(storage.version.table)}
    where ${isListed} and locale = ${expressions.parameter('text', changes[0]?.locale)}
      and status = 'published'`.compile(expressions.kysely);
  await tx.execute(statement.sql, statement.parameters);
};

const eventOf = ({ type, action, params, locale, publish }: DocumentChange) =>
  createEvent(
    {
      action,
      type,
      locale,
      status: publish ? 'published' : 'draft',
      data: action === 'update' && 'data' in params ? params.data : null,
    },
    params.documentId,
  );

/**
 * Changes versions of documents of one type together. Throws if any of that is invalid, or
 * depends on the order of the writes; then those that are written must be rolled back.
 */
export async function writeChangeWave(
  context: DocumentContext,
  tx: Transaction,
  changes: readonly DocumentChange[],
): Promise<void> {
  const { type, action } = defined(changes[0], 'A change');
  const rows = await lockAll(context, tx, type, changes);
  const rowsOf = ({ params }: DocumentChange): readonly VersionRow[] => rows.get(params.documentId) ?? [];
  const open = action === 'discardDraft' ? openDiscards : openChanges;
  const opened = action === 'unpublish' ? [] : await open(context, tx, changes, rowsOf);
  const events = changes.map(eventOf);
  await context.hooks.emitBefore(events, tx);
  if (action === 'unpublish') await deletePublished(tx, context, type, changes);
  else await writeTogether(opened, { discardsDrafts: action === 'discardDraft' });
  tx.afterCommit(() => context.hooks.emitAfter(events));
}
