import { printVersion } from '../../transfer/files/print-version.js';
import { isFileAttribute } from '../../query/parse/populate-all.js';
import { bodyAttribute, parseDocumentText } from '../../transfer/store/parse-document-text.js';
import type { ContentType } from '../../model/model.js';
import type { ContentProject } from './content-project.js';
import { editFile, editText } from './edit-text.js';
import type { EditScreen } from './edit-text.js';
import type { WrittenDocument } from './run-write.js';
import { readContent, writeContent } from './with-content.js';
import { writeTyped } from './write-typed.js';

export interface Creation {
  readonly type: ContentType;
  /** Undefined for the default locale. */
  readonly locale: string | undefined;
}

/** All attributes without values, to be filled in. The text of the type stands below the front matter. */
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
 * Lets somebody write a new document in an editor, and creates it as a draft. Null: nothing was typed.
 *
 * @throws `content/edit-refused`, `content/no-editor`
 */
export async function createInEditor(
  project: ContentProject,
  { type, locale }: Creation,
  screen: EditScreen,
): Promise<WrittenDocument | null> {
  // An unknown locale is refused before anything is typed.
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
