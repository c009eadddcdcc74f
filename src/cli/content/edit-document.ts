import { mkdir, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { invalidValues } from '../../documents/validation/issues.js';
import { createError } from '../../errors/catalogue.js';
import { isGalleyError } from '../../errors/galley-error.js';
import type { GalleyError, ValidationIssue } from '../../errors/galley-error.js';
import { OWNER_ONLY_FOLDER } from '../../lib/files.js';
import type { ContentType } from '../../model/model.js';
import { loadText, writeText } from '../../project/write-text.js';
import { isFileAttribute } from '../../query/parse/server-queries.js';
import { createNameLinks, printVersion, versionExtension } from '../../transfer/files/print-content.js';
import {
  changedValues,
  holdsHiddenValues,
  normalizeData,
  withItemIds,
} from '../../transfer/files/version-data.js';
import type { ContentStore, ContentWrite } from '../../transfer/store/content-store.js';
import {
  bodyAttribute,
  markIssues,
  parseDocumentText,
  withoutMarks,
} from '../../transfer/store/document-text.js';
import { resolveWithIssues } from '../../transfer/store/references.js';
import type { ContentProject } from '../project/command-target.js';
import type { Warn } from '../project/with-app.js';
import { askConfirm } from '../prompts/prompt.js';
import type { Prompter } from '../prompts/prompt.js';
import { printIssues } from '../terminal/report-error.js';
import { openEditor } from '../terminal/run-program.js';
import { toOneLine } from '../terminal/text-layout.js';
import type { Terminal } from '../terminal/terminal.js';
import type { FieldChange } from './content-files.js';
import { readDraft, resolveDocument } from './find-document.js';
import { cellText } from './print-value.js';
import { runWrites } from './save-document.js';
import type { WrittenDocument } from './save-document.js';
import { openContent, readContent, writeContent } from './with-content.js';

interface EditScreen {
  readonly terminal: Terminal;
  readonly prompter: Prompter | null;
  readonly info: (message: string) => void;
  readonly warn: Warn;
}

/** A text that the user edits in a temporary file. */
interface EditedText<T> {
  readonly file: string;
  /** The text before the edit. */
  readonly original: string;
  readonly save: (text: string) => Promise<T>;
  /** True if the edit is a dry run, after which the file is kept. */
  readonly isDryRun?: boolean;
}

/** Returns the path of the file that keeps a text until it is saved, with the name of a remote server. */
function editFile(project: ContentProject, type: ContentType, names: readonly string[]): string {
  const place = project.remote === undefined ? [] : [project.remote.access.name];
  const name = [...place, type.singularName, ...names].join('.');
  return join(project.root, '.galley', 'edits', `${name}.${versionExtension(type)}`);
}

/** Marks the errors in the file. Returns true if the user wants to open it again. */
const offerAgain = async (
  { prompter, info }: EditScreen,
  file: string,
  { text, error }: { readonly text: string; readonly error: GalleyError },
): Promise<boolean> => {
  const { errors, fileIssues } = error.details;
  const issues = errors ?? fileIssues ?? [{ path: [], message: error.message }];
  await writeText(file, markIssues(text, issues));
  if (prompter === null) return false;
  info([printIssues(error), error.hint ?? ''].filter((line) => line !== '').join('\n'));
  return askConfirm(prompter, 'Open the editor again?', true);
};

/**
 * Opens a text in an editor, and saves it. If it cannot be saved, marks the errors at their lines and offers
 * to reopen the editor. The typed text stays in its file until it is saved, and the next edit continues with
 * it. Returns null if the text is unchanged.
 *
 * @throws `content/changed-meanwhile`, `content/edit-refused`, `content/no-editor`
 */
async function editText<T>(
  { file, original, save, isDryRun = false }: EditedText<T>,
  screen: EditScreen,
): Promise<T | null> {
  await mkdir(dirname(file), { recursive: true, mode: OWNER_ONLY_FOLDER });
  if ((await loadText(file)) === null) await writeText(file, original);
  else screen.info(`Continuing with unsaved text: ${file}`);
  for (;;) {
    await openEditor(screen.terminal, file);
    const text = await readFile(file, 'utf8');
    if (withoutMarks(text) === original) {
      await rm(file);
      return null;
    }
    try {
      const saved = await save(withoutMarks(text));
      if (isDryRun) await writeText(file, withoutMarks(text));
      else await rm(file);
      return saved;
    } catch (error) {
      if (!isGalleyError(error)) throw error;
      if (await offerAgain(screen, file, { text, error })) continue;
      if (error.code === 'content/changed-meanwhile') throw error;
      const { details, message: reason } = error;
      throw createError('content/edit-refused', { reason, file }, { details, cause: error });
    }
  }
}

type Data = Readonly<Record<string, unknown>>;

interface TypedWrite {
  readonly write: Omit<ContentWrite, 'data'>;
  /** Values as typed, with names of documents. */
  readonly data: Data;
  /** Completes the data after names of documents are replaced by documentIds. */
  readonly complete?: (data: Data) => Data;
  readonly isDryRun: boolean;
}

/** Tries a write, and returns the issues of its values. */
const findIssues = async (
  store: ContentStore,
  type: ContentType,
  write: ContentWrite,
): Promise<readonly ValidationIssue[]> => {
  try {
    await runWrites(store, type, [write], true);
    return [];
  } catch (error) {
    if (!isGalleyError(error)) throw error;
    return error.details.errors ?? [];
  }
};

/**
 * Writes typed values.
 *
 * @throws `request/invalid-values` with all issues of names and values, and the errors of the write
 */
async function writeTyped(
  store: ContentStore,
  type: ContentType,
  { write: head, data: typed, complete = (data) => data, isDryRun }: TypedWrite,
): Promise<WrittenDocument | undefined> {
  const { data, issues } = await resolveWithIssues(store, type, typed);
  const write = { ...head, data: complete(data) };
  if (issues.length === 0) {
    const [written] = await runWrites(store, type, [write], isDryRun);
    return written;
  }
  const wrong = new Set(issues.map(({ path }) => path[0]));
  const others = await findIssues(store, type, write);
  throw invalidValues([...issues, ...others.filter(({ path }) => !wrong.has(path[0]))]);
}

interface Edit {
  readonly type: ContentType;
  /** The documentId or another name. Undefined for single types. */
  readonly document: string | undefined;
  readonly locale: string | undefined;
  readonly publishes: boolean;
  /** True if the edit replaces changes that others have made meanwhile. */
  readonly overwrites: boolean;
  /** True if the edit is a dry run, which keeps the typed text. */
  readonly isDryRun?: boolean;
}

/** The result of an edit, or of its dry run. */
export interface EditedDocument extends WrittenDocument {
  readonly file: string;
  readonly fields: readonly FieldChange[];
}

/** A document during an edit: the file of its text, and the text and values before. */
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

/** Returns the values of the text that differ from the values before. */
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

/** Characters of a value in a mark. */
const MAX_SHOWN = 200;

/** Returns the error of an edit whose document others have changed, with their values. */
const changedError = async (
  store: ContentStore,
  { type, locale }: Edit,
  { file, documentId, original }: OpenEdit,
): Promise<GalleyError> => {
  const document = await readDraft(store, type, { documentId, locale });
  const data = normalizeData(store.model, type, document);
  const present = printVersion(type, {}, (await createNameLinks(store, [{ type, data }]))(type, data));
  const [before, after] = [original, present].map((text) => parseDocumentText(type, { file, text }));
  const errors = Object.entries(changedValues(before ?? {}, after ?? {})).map(
    ([name, value]): ValidationIssue => ({
      path: [name],
      message: `is now ${toOneLine(cellText(value)).slice(0, MAX_SHOWN) || 'empty'}`,
      name: 'ValidationError',
    }),
  );
  const updatedAt = String(document['updatedAt']);
  const params = { type: type.uid, documentId, time: updatedAt, file };
  return createError('content/changed-meanwhile', params, { details: { errors, updatedAt } });
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
    if (!overwrites && current['updatedAt'] !== open.updatedAt) throw await changedError(store, edit, open);
    const isCompared = !overwrites && store.comparesRevisions && typeof open.updatedAt === 'string';
    const write: TypedWrite = {
      write: {
        action: 'update',
        documentId: open.documentId,
        status: publishes ? 'published' : 'draft',
        ...(locale === undefined ? {} : { locale }),
        ...(isCompared ? { ifMatch: String(open.updatedAt) } : {}),
      },
      data: { ...Object.fromEntries(removed.map((name) => [name, null])), ...parsed },
      complete: (data) =>
        holdsHiddenValues(store.model, type) ? withItemIds(store.model, type, data, current) : data,
      isDryRun,
    };
    const written = await writeTyped(store, type, write).catch(async (error: unknown) => {
      const isChanged = isGalleyError(error) && error.kind === 'precondition-failed';
      throw isChanged ? await changedError(store, edit, open) : error;
    });
    return written && { ...written, file: open.file, fields: changedFields(edit, open, parsed) };
  });
};

/**
 * Opens the draft of a document in an editor, and writes it. Keeps the typed text until it is written.
 * Returns null if nothing changed.
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
  // Once the changes of others are marked in the text, the next attempt may replace them.
  let { updatedAt } = open;
  const save = async (text: string): Promise<EditedDocument | undefined> => {
    try {
      return await saveEdit(project, edit, { open: { ...open, updatedAt }, text, warn: screen.warn });
    } catch (error) {
      if (isGalleyError(error) && error.code === 'content/changed-meanwhile') ({ updatedAt } = error.details);
      throw error;
    }
  };
  return (await editText({ ...open, save, isDryRun: edit.isDryRun ?? false }, screen)) ?? null;
}

export interface Creation {
  readonly type: ContentType;
  /** Undefined for the default locale. */
  readonly locale: string | undefined;
}

/**
 * Prints all attributes without values, for the user to fill in. The main text of the type is below the front
 * matter.
 */
const printEmpty = (type: ContentType): string => {
  const names = Object.values(type.attributes)
    .filter((attribute) => isFileAttribute(attribute) && attribute !== bodyAttribute(type))
    .map(({ name }) => name);
  return printVersion(type, {}, Object.fromEntries(names.map((name) => [name, null]))).replaceAll(
    /: null$/gm,
    ':',
  );
};

/**
 * Opens an empty document in an editor, and creates it as a draft. Returns null if nothing was typed.
 *
 * @throws `content/edit-refused`, `content/no-editor`
 */
export async function createInEditor(
  project: ContentProject,
  { type, locale }: Creation,
  screen: EditScreen,
): Promise<WrittenDocument | null> {
  // Reject an unknown locale before the editor opens.
  if (locale !== undefined) await readContent(project, async () => undefined);
  const file = editFile(project, type, ['new', ...(locale === undefined ? [] : [locale])]);
  const save = (text: string): Promise<WrittenDocument | undefined> => {
    const parsed = parseDocumentText(type, { file, text });
    const filled = Object.fromEntries(Object.entries(parsed).filter(([, value]) => value !== null));
    const write = { action: 'create' as const, ...(locale === undefined ? {} : { locale }) };
    return writeContent(project, screen.warn, (store) =>
      writeTyped(store, type, { write, data: filled, isDryRun: false }),
    );
  };
  return (await editText({ file, original: printEmpty(type), save }, screen)) ?? null;
}
