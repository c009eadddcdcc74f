import type { Transaction } from '../../database/database.js';
import { fail } from '../../errors/catalogue.js';
import type { ContentType } from '../../model/model.js';
import { typeOf } from '../../query/read-context.js';
import type { DocumentContext } from '../document-context.js';
import type { RecordText, VersionParams } from '../documents.js';
import type { DocumentEvent } from '../hooks.js';
import { copyInverse } from '../links/copy-inverse.js';
import { writtenLocale } from '../locale.js';
import { lockDocument } from '../lock-document.js';
import { inputFromVersion } from '../published-input.js';
import { readWritten } from '../read-records.js';
import { requireDrafts } from '../require-drafts.js';
import { transactWrite } from '../transact-write.js';
import { loadVersions } from '../load-versions.js';
import type { VersionRow } from '../version-row.js';
import { writeDocument } from '../write-document.js';
import type { WriteScope } from '../write-scope.js';

interface Discard {
  readonly tx: Transaction;
  readonly type: ContentType;
  readonly documentId: string;
  readonly locale: string;
  readonly rows: readonly VersionRow[];
}

const writeBack = async (context: DocumentContext, discard: Discard): Promise<void> => {
  const { tx, type, rows, locale } = discard;
  const published = rows.find((row) => row.locale === locale && row.status === 'published');
  if (published === undefined) throw fail('request/invalid-parameter', { parameter: 'status', reason: 'nothing is published that the draft could go back to.' });
  // As old as what was published, since nothing is newer in it.
  const scope: WriteScope = { ...discard, context, publish: false, now: published.updatedAt };
  await writeDocument(scope, await inputFromVersion(context, tx, type, published));
  await copyInverse(scope, context.linksOf(type), { from: 'published', to: 'draft' });
};

/** Makes one locale's draft what is published again. Null: there is no such draft. */
export async function discardDraft(context: DocumentContext, params: VersionParams): Promise<{ readonly record: RecordText } | null> {
  const { documentId } = params;
  const type = requireDrafts(typeOf(context.model, params.type));
  const locale = writtenLocale(context, type, params.locale);
  const event: DocumentEvent = { action: 'discardDraft', type: type.uid, documentId, locale: type.localized ? locale : null, status: 'draft', data: null };
  const isDone = await transactWrite(context, async (tx) => {
    if (!(await lockDocument(context, tx, type, documentId))) return false;
    const rows = await loadVersions(context, tx, type, documentId);
    if (!rows.some((row) => row.locale === locale && row.status === 'draft')) return false;
    await context.hooks.emitBefore(event, tx);
    await writeBack(context, { tx, type, documentId, locale, rows });
    return true;
  });
  if (!isDone) return null;
  await context.hooks.emitAfter(event);
  const record = await readWritten(context, type, { documentId, locale: params.locale, status: 'draft', selection: params.selection });
  return record === null ? null : { record };
}
