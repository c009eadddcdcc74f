import { mkdir, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { loadText, writeText } from '../../project/write-text.js';
import { versionExtension } from '../../transfer/files/print-version.js';
import { markIssues, withoutMarks } from '../../transfer/store/mark-issues.js';
import { createError } from '../../errors/catalogue.js';
import { isGalleyError } from '../../errors/galley-error.js';
import type { GalleyError } from '../../errors/galley-error.js';
import { OWNER_ONLY_FOLDER } from '../../lib/private-file.js';
import type { ContentType } from '../../model/model.js';
import { askConfirm } from '../prompts/prompt.js';
import type { Prompter } from '../prompts/prompt.js';
import type { Warn } from '../project/with-app.js';
import { printIssues } from '../terminal/report-error.js';
import type { Terminal } from '../terminal/terminal.js';
import type { ContentProject } from './content-project.js';
import { openEditor } from './open-editor.js';

export interface EditScreen {
  readonly terminal: Terminal;
  readonly prompter: Prompter | null;
  readonly info: (message: string) => void;
  readonly warn: Warn;
}

/** A text that is edited in a file of its own. */
export interface EditedText<T> {
  readonly file: string;
  /** The text before any edit. */
  readonly original: string;
  readonly save: (text: string) => Promise<T>;
  /** True if the edit is a dry run, after which the file is kept. */
  readonly isDryRun?: boolean;
}

/** Returns the path of the file that keeps a text until it is saved, with the name of a remote server. */
export function editFile(project: ContentProject, type: ContentType, names: readonly string[]): string {
  const place = project.remote === undefined ? [] : [project.remote.access.name];
  const name = [...place, type.singularName, ...names].join('.');
  return join(project.root, '.galley', 'edits', `${name}.${versionExtension(type)}`);
}

/** Marks what is wrong in the file. Returns whether to open it again. */
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
 * Lets somebody edit a text in an editor, and saves it. If it cannot be saved, the reasons are marked at the
 * lines, and the editor is offered again. The typed text stays in its file until it is saved, and the next
 * edit continues with it. Returns null if nothing was changed.
 *
 * @throws `content/changed-meanwhile`, `content/edit-refused`, `content/no-editor`
 */
export async function editText<T>(
  { file, original, save, isDryRun = false }: EditedText<T>,
  screen: EditScreen,
): Promise<T | null> {
  await mkdir(dirname(file), { recursive: true, mode: OWNER_ONLY_FOLDER });
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
      const saved = await save(withoutMarks(text));
      if (isDryRun) await writeText(file, withoutMarks(text));
      else await rm(file);
      return saved;
    } catch (error) {
      if (!isGalleyError(error) || error.code === 'content/changed-meanwhile') throw error;
      if (await offerAgain(screen, file, { text, error })) continue;
      const { details, message: reason } = error;
      throw createError('content/edit-refused', { reason, file }, { details, cause: error });
    }
  }
}
