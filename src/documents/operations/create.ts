import type { Transaction } from '../../database/database.js';
import { fail } from '../../errors/catalogue.js';
import type { ContentType } from '../../model/model.js';
import { typeOf } from '../../query/read-context.js';
import type { PreparedInput } from '../../validation/input.js';
import type { DocumentContext } from '../document-context.js';
import { createDocumentId } from '../../lib/document-id.js';
import type { CreateParams, RecordText } from '../documents.js';
import type { DocumentEvent } from '../hooks.js';
import { writtenLocale } from '../locale.js';
import { lockDocument } from '../lock-document.js';
import { assertFields, assertPermitted, permitOf, versionsToChange } from '../permitted.js';
import { readWritten } from '../read-records.js';
import { transactWrite } from '../transact-write.js';
import { loadVersions } from '../load-versions.js';
import type { VersionRow } from '../version-row.js';
import { isPublishing, writeLocale } from '../write-locale.js';
import { writtenStatuses } from '../write-scope.js';

/** A single type's document that another first write has made already. */
const existingSingle = async ({ anchorOf }: DocumentContext, tx: Transaction, type: ContentType): Promise<string | null> => {
  if (type.kind !== 'singleType') return null;
  await tx.lock(`single type ${type.uid}`);
  const { sql, parameters } = anchorOf(type).first();
  const [anchor] = await tx.query(sql, parameters);
  return anchor === undefined ? null : String(anchor['document_id']);
};

const makeDocument = async ({ anchorOf }: DocumentContext, tx: Transaction, type: ContentType): Promise<string> => {
  const documentId = createDocumentId();
  const { sql, parameters } = anchorOf(type).insert(documentId);
  await tx.execute(sql, parameters);
  return documentId;
};

interface Place {
  readonly documentId: string;
  readonly rows: readonly VersionRow[];
}

const findPlace = async (context: DocumentContext, tx: Transaction, type: ContentType): Promise<Place> => {
  const existing = await existingSingle(context, tx, type);
  if (existing === null || !(await lockDocument(context, tx, type, existing))) return { documentId: await makeDocument(context, tx, type), rows: [] };
  return { documentId: existing, rows: await loadVersions(context, tx, type, existing) };
};

/** Makes a document; of a single type that exists already, updates it. */
export async function create(context: DocumentContext, params: CreateParams): Promise<{ readonly documentId: string; readonly record: RecordText }> {
  const type = typeOf(context.model, params.type);
  const locale = writtenLocale(context, type, params.locale);
  const permit = permitOf(type, params.access, type.kind === 'singleType' ? 'update' : 'create');
  assertFields(permit, params.data);
  const input: PreparedInput = await context.inputOf(type).prepare(params.data, params.access);
  const publish = isPublishing(type, params.status);
  const eventOf = (documentId: string): DocumentEvent => ({ action: 'create', type: type.uid, documentId, locale: type.localized ? locale : null, status: publish ? 'published' : 'draft', data: params.data });
  const documentId = await transactWrite(context, async (tx) => {
    const place = await findPlace(context, tx, type);
    await context.hooks.emitBefore(eventOf(place.documentId), tx);
    if (place.rows.length > 0) await assertPermitted(context, permit, tx, versionsToChange(type, place, locale));
    await writeLocale(context, { tx, type, locale, publish, input, access: params.access, ...place });
    await assertPermitted(context, permit, tx, { documentId: place.documentId, locale, statuses: writtenStatuses({ type, publish }), every: true });
    return place.documentId;
  });
  await context.hooks.emitAfter(eventOf(documentId));
  const record = await readWritten(context, type, { documentId, locale: params.locale, status: params.status ?? 'published', selection: params.selection, access: params.access });
  if (record === null) throw fail('request/not-found');
  return { documentId, record };
}
