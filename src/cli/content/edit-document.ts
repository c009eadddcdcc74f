import type { ContentProject } from './content-project.js';
import { holdsHiddenValues, withItemIds } from '../../transfer/files/keep-items.js';
import { createNameLinks } from '../../transfer/files/name-links.js';
import { printVersion } from '../../transfer/files/print-version.js';
import { changedValues, normalizeData } from '../../transfer/files/version-data.js';
import { parseDocumentText } from '../../transfer/store/parse-document-text.js';
import { createError } from '../../errors/catalogue.js';
import type { ContentType } from '../../model/model.js';
import type { Warn } from '../project/with-app.js';
import { editFile, editText } from './edit-text.js';
import type { EditScreen } from './edit-text.js';
import { readDraft } from './read-draft.js';
import { resolveDocument } from './resolve-document.js';
import type { WrittenDocument } from './run-write.js';
import type { FieldChange } from './print-plan.js';
import { openContent, readContent } from './with-content.js';
import { writeTyped } from './write-typed.js';

export interface Edit {
  readonly type: ContentType;
  /** The documentId or another name. Undefined for single types. */
  readonly document: string | undefined;
  readonly locale: string | undefined;
  readonly publishes: boolean;
  /** True if what somebody else has changed meanwhile is replaced. */
  readonly overwrites: boolean;
  /** True if the edit is a dry run. The typed text is kept then. */
  readonly isDryRun?: boolean;
}

/** The result of an edit, or of its dry run. */
export interface EditedDocument extends WrittenDocument {
  readonly file: string;
  readonly fields: readonly FieldChange[];
}

/** The document as it is edited: where its text is, and what it was before. */
interface OpenEdit {
  readonly file: string;
  readonly documentId: string;
  readonly updatedAt: unknown;
  readonly original: string;
  readonly values: Readonly<Record<string, unknown>>;
}

const startEdit = (project: ContentProject, edit: Edit): Promise<OpenEdit> =>
  readContent(project, async (store) => {
    const { type, locale } = edit;
    const documentId = await resolveDocument(store, type, edit.document);
    const document = await readDraft(store, type, { documentId, locale });
    const data = normalizeData(store.model, type, document);
    const values = (await createNameLinks(store, [{ type, data }]))(type, data);
    const text = printVersion(type, {}, values);
    const file = editFile(project, type, [documentId, ...(locale === undefined ? [] : [locale])]);
    return { file, documentId, updatedAt: document['updatedAt'], original: text, values };
  });

/** Returns what the text changes of the values that stood in it before. */
const changedFields = (
  { type, publishes }: Edit,
  { file, original }: OpenEdit,
  parsed: Readonly<Record<string, unknown>>,
): readonly FieldChange[] => {
  const before = parseDocumentText(type, { file, text: original });
  const removed = Object.keys(before).map((name) => [name, null] as const);
  const after = { ...Object.fromEntries(removed), ...parsed };
  const version = publishes || !type.draftAndPublish ? 'published' : 'draft';
  return Object.entries(changedValues(before, after)).map(([attribute, value]) => ({
    attribute,
    version,
    before: before[attribute] ?? null,
    after: value,
  }));
};

const saveEdit = (
  project: ContentProject,
  edit: Edit,
  { open, text, warn }: { readonly open: OpenEdit; readonly text: string; readonly warn: Warn },
): Promise<EditedDocument | undefined> => {
  const { type, locale, publishes, overwrites, isDryRun = false } = edit;
  const parsed = parseDocumentText(type, { file: open.file, text });
  const removed = Object.keys(open.values).filter((name) => !Object.hasOwn(parsed, name));
  return openContent(project, { warn, isDryRun }, async (store) => {
    const current = await readDraft(store, type, { documentId: open.documentId, locale });
    if (!overwrites && current['updatedAt'] !== open.updatedAt)
      throw createError('content/changed-meanwhile', {
        type: type.uid,
        documentId: open.documentId,
        time: String(current['updatedAt']),
        file: open.file,
      });
    const written = await writeTyped(store, type, {
      write: {
        action: 'update',
        documentId: open.documentId,
        status: publishes ? 'published' : 'draft',
        ...(locale === undefined ? {} : { locale }),
      },
      data: { ...Object.fromEntries(removed.map((name) => [name, null])), ...parsed },
      complete: (data) =>
        holdsHiddenValues(store.model, type) ? withItemIds(store.model, type, data, current) : data,
      isDryRun,
    });
    return written && { ...written, file: open.file, fields: changedFields(edit, open, parsed) };
  });
};

/**
 * Lets somebody edit the draft of a document in an editor, and writes it. The typed text is kept until it is
 * written. Returns null if nothing was changed.
 *
 * @throws `content/changed-meanwhile`, `content/edit-refused`, `content/no-editor`,
 *   `content/unknown-document`
 */
export async function editDocument(
  project: ContentProject,
  edit: Edit,
  screen: EditScreen,
): Promise<EditedDocument | null> {
  const open = await startEdit(project, edit);
  const save = (text: string): Promise<EditedDocument | undefined> =>
    saveEdit(project, edit, { open, text, warn: screen.warn });
  return (await editText({ ...open, save, isDryRun: edit.isDryRun ?? false }, screen)) ?? null;
}
