import { mkdir, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { loadText, writeText } from '../../app/write-text.js';
import type { Project } from '../../app/open-project.js';
import { createNameLinks } from '../../content-files/name-links.js';
import { printVersion, versionExtension } from '../../content-files/print-version.js';
import { normalizeData } from '../../content-files/version-data.js';
import { markIssues, withoutMarks } from '../../content-store/mark-issues.js';
import { parseDocumentText } from '../../content-store/parse-document-text.js';
import { resolveData } from '../../content-store/resolve-data.js';
import { createError } from '../../errors/catalogue.js';
import { isGalleyError } from '../../errors/galley-error.js';
import type { GalleyError } from '../../errors/galley-error.js';
import type { ContentType } from '../../model/model.js';
import { promptConfirm } from '../prompts/prompt.js';
import type { Prompter } from '../prompts/prompt.js';
import type { Warn } from '../project/with-app.js';
import type { Terminal } from '../terminal/terminal.js';
import { openEditor } from './open-editor.js';
import { readDraft } from './read-draft.js';
import { resolveDocument } from './resolve-document.js';
import { runWrites } from './run-write.js';
import type { WrittenDocument } from './run-write.js';
import { readContent, writeContent } from './with-content.js';

export interface Edit {
  readonly type: ContentType;
  /** The documentId or another name. Undefined for single types. */
  readonly document: string | undefined;
  readonly locale: string | undefined;
  readonly publishes: boolean;
  /** Whether what somebody else has changed meanwhile is replaced. */
  readonly overwrites: boolean;
}

export interface EditScreen {
  readonly terminal: Terminal;
  readonly prompter: Prompter | null;
  readonly info: (message: string) => void;
  readonly warn: Warn;
}

/** The document as it is edited: where its text is, and what it was before. */
interface OpenEdit {
  readonly file: string;
  readonly documentId: string;
  readonly updatedAt: unknown;
  readonly original: string;
  readonly values: Readonly<Record<string, unknown>>;
}

const startEdit = (project: Project, edit: Edit): Promise<OpenEdit> =>
  readContent(project, async (store) => {
    const { type, locale } = edit;
    const documentId = await resolveDocument(store, type, edit.document);
    const document = await readDraft(store, type, { documentId, locale });
    const data = normalizeData(store.model, type, document);
    const values = (await createNameLinks(store, type, [data]))(data);
    const text = printVersion(type, {}, values);
    const name = [type.singularName, documentId, ...(locale === undefined ? [] : [locale])].join('.');
    const file = join(project.root, '.galley', 'edits', `${name}.${versionExtension(type)}`);
    return { file, documentId, updatedAt: document['updatedAt'], original: text, values };
  });

const saveEdit = (
  project: Project,
  edit: Edit,
  { open, text, warn }: { readonly open: OpenEdit; readonly text: string; readonly warn: Warn },
): Promise<WrittenDocument | undefined> => {
  const { type, locale, publishes, overwrites } = edit;
  const parsed = parseDocumentText(type, { file: open.file, text: withoutMarks(text) });
  const removed = Object.keys(open.values).filter((name) => !Object.hasOwn(parsed, name));
  return writeContent(project, warn, async (store) => {
    const current = await readDraft(store, type, { documentId: open.documentId, locale });
    if (!overwrites && current['updatedAt'] !== open.updatedAt)
      throw createError('content/changed-meanwhile', {
        type: type.uid,
        documentId: open.documentId,
        time: String(current['updatedAt']),
        file: open.file,
      });
    const data = await resolveData(store, type, {
      ...Object.fromEntries(removed.map((name) => [name, null])),
      ...parsed,
    });
    const status = publishes ? ('published' as const) : ('draft' as const);
    const write = { action: 'update' as const, documentId: open.documentId, data, status };
    const localized = locale === undefined ? write : { ...write, locale };
    const [written] = await runWrites(store, type, [localized], false);
    return written;
  });
};

/** Marks what is wrong in the file. Returns whether to open it again. */
const offerAgain = async (
  { prompter, info }: EditScreen,
  file: string,
  { text, error }: { readonly text: string; readonly error: GalleyError },
): Promise<boolean> => {
  const issues = error.details.errors ?? [{ path: [], message: error.message }];
  await writeText(file, markIssues(text, issues));
  if (prompter === null) return false;
  info(`${error.message}${error.hint === undefined ? '' : ` ${error.hint}`}`);
  return promptConfirm(prompter, 'Open the editor again?', true);
};

/**
 * Lets somebody edit the draft of a document in an editor, and writes it. Where it cannot be written, the
 * reasons stand beside the lines, and the editor is offered again. What was typed stays in its file until it
 * is written, and the next edit of the document goes on with it. Null: nothing was changed.
 *
 * @throws `content/changed-meanwhile`, `content/edit-refused`, `content/no-editor`,
 *   `content/unknown-document`
 */
export async function editDocument(
  project: Project,
  edit: Edit,
  screen: EditScreen,
): Promise<WrittenDocument | null> {
  const open = await startEdit(project, edit);
  const { file, original } = open;
  await mkdir(dirname(file), { recursive: true });
  if ((await loadText(file)) === null) await writeText(file, original);
  else screen.info(`Going on with what was not written: ${file}`);
  for (;;) {
    await openEditor(screen.terminal, file);
    const text = await readFile(file, 'utf8');
    if (withoutMarks(text) === original) {
      await rm(file);
      return null;
    }
    try {
      const written = await saveEdit(project, edit, { open, text, warn: screen.warn });
      await rm(file);
      return written ?? null;
    } catch (error) {
      if (!isGalleyError(error) || error.code === 'content/changed-meanwhile') throw error;
      if (await offerAgain(screen, file, { text, error })) continue;
      throw createError('content/edit-refused', { reason: error.message, file }, { cause: error });
    }
  }
}
