import type { Transaction } from '../../database/database.js';
import { typeOf } from '../../model/lookup.js';
import type { ContentType } from '../../model/model.js';
import type { PreparedInput } from '../../validation/input.js';
import type { DocumentContext } from '../document-context.js';
import type { CreateParams, RecordText } from '../documents.js';
import { setTimes } from '../set-times.js';
import { writtenStatuses } from '../write-context.js';
import { assertWrittenMetadata, NO_INPUT, writeLocale } from '../write-locale.js';
import { isPublishing, resolveLocale } from '../write-params.js';
import { versionsBeforeChange, writePermissionOf } from '../write-permission.js';
import type { LocaleWrite } from '../write-locale.js';
import { reload, runWriteAndRead } from './run-write.js';
import type { LockedDocument } from './run-write.js';

/** How `create` and `update` differ. */
interface ContentWrite {
  readonly action: 'create' | 'update';
  readonly permissionAction: (type: ContentType) => 'create' | 'update';
  /** Locks or creates the document. Null: there is none to write to. */
  readonly lock: (tx: Transaction, type: ContentType) => Promise<LockedDocument | null>;
}

/** Writes the data. Saves first and then publishes where somebody wants to be told in between. */
const writeContent = async (
  context: DocumentContext,
  write: LocaleWrite,
  onSaved: CreateParams['onSaved'],
): Promise<void> => {
  const { tx, type, documentId, publish } = write;
  if (onSaved === undefined || !type.draftAndPublish || !publish) return writeLocale(context, write);
  await writeLocale(context, { ...write, publish: false, strictness: 'full' });
  await onSaved(documentId);
  const { rows } = await reload(context, tx, type, write);
  await writeLocale(context, { ...write, rows, input: NO_INPUT });
};

/** Runs a write of the client's data. Returns null if there is no document to write to. */
export async function runContentWrite(
  context: DocumentContext,
  params: CreateParams,
  { action, permissionAction, lock }: ContentWrite,
): Promise<{ readonly documentId: string; readonly record: RecordText } | null> {
  const { data, access } = params;
  const type = typeOf(context.model, params.type);
  const locale = resolveLocale(context, type, params.locale);
  const publish = isPublishing(type, params.status);
  return runWriteAndRead<PreparedInput>(
    context,
    {
      action,
      type,
      locale,
      status: publish ? 'published' : 'draft',
      data,
      permission: writePermissionOf(type, access, permissionAction(type)),
      prepare: () => context.validatorOf(type).prepare(data, access),
      lock: (tx) => lock(tx, type),
      versionsBefore: (document) =>
        document.rows.length === 0 && action === 'create'
          ? null
          : versionsBeforeChange(type, document, locale),
      write: async (tx, document, input) => {
        const write: LocaleWrite = { tx, type, ...document, locale, publish, input, access };
        assertWrittenMetadata(input, write);
        await writeContent(context, write, params.onSaved);
        const { times } = params;
        if (times === undefined) return;
        const statuses = writtenStatuses({ type, publish });
        await setTimes(context, tx, type, { documentId: document.documentId, locale, statuses, times });
      },
      versionsAfter: ({ documentId }) => ({
        documentId,
        locale,
        statuses: writtenStatuses({ type, publish }),
        requireAll: true,
      }),
    },
    { ...params, status: params.status ?? 'published' },
  );
}
