import { createError } from '../../errors/catalogue.js';
import type { ContentModel, ContentType } from '../../model/model.js';
import { normalizeData } from '../files/version-data.js';
import type { Data } from '../files/version-data.js';
import type { ContentStore } from '../store/content-store.js';
import { readDocuments } from '../store/read-documents.js';
import type { StoredDocument } from '../store/read-documents.js';
import { shapeOf, textsOf } from './translatable-texts.js';
import type { TranslatableText } from './translatable-texts.js';
import { isXmlText } from './xliff-file.js';
import type { XliffDocument, XliffFile, XliffUnit } from './xliff-file.js';

/** The locales of a translation. */
export interface TranslatedLocales {
  readonly source: string;
  readonly target: string;
}

/** The draft of a document in one locale, in the form in which it is written. */
export interface LocaleDraft {
  /** The record, with the ids of its components. */
  readonly record: Data;
  /** The values that each locale has of its own. */
  readonly values: Data;
}

/** Returns the draft of a document in a locale. Null: there is none. */
export function draftIn(
  model: ContentModel,
  { type, versions }: StoredDocument,
  locale: string,
): LocaleDraft | null {
  const version = versions.find((other) => other.locale === locale);
  if (version === undefined) return null;
  const values = Object.entries(normalizeData(model, type, version.data)).filter(
    ([name]) => type.attributes[name]?.localized === true,
  );
  return { record: version.data, values: Object.fromEntries(values) };
}

/** Returns the translated texts of the attributes whose components are those of the source. */
export function comparableTexts(
  model: ContentModel,
  type: ContentType,
  source: LocaleDraft,
  target: LocaleDraft | null,
): ReadonlyMap<string, TranslatableText> {
  const same = Object.entries(target?.values ?? {}).filter(([name, value]) => {
    const attribute = type.attributes[name];
    return (
      attribute !== undefined &&
      shapeOf(model, attribute, value) === shapeOf(model, attribute, source.values[name])
    );
  });
  return textsOf(model, type, Object.fromEntries(same));
}

/** Returns the types that have translations. @throws `content/not-localized` for other named types */
export function translatedTypes(types: readonly ContentType[], isNamed: boolean): readonly ContentType[] {
  const other = types.find(({ localized }) => !localized);
  if (isNamed && other !== undefined) throw createError('content/not-localized', { type: other.uid });
  return types.filter(({ localized }) => localized);
}

export interface XliffExport extends XliffFile {
  /** The texts that XML cannot contain: the type, the documentId and the path. */
  readonly omitted: readonly string[];
}

/** Returns the texts of a document with their translations. Empty without a draft in the source locale. */
const unitsOf = (
  model: ContentModel,
  document: StoredDocument,
  { source, target }: TranslatedLocales,
): readonly XliffUnit[] => {
  const { type } = document;
  const draft = draftIn(model, document, source);
  if (draft === null) return [];
  const translations = comparableTexts(model, type, draft, draftIn(model, document, target));
  return [...textsOf(model, type, draft.values).values()].map(({ path, text, isMarkdown }) => ({
    path,
    source: text.trim(),
    target: translations.get(path)?.text.trim() ?? null,
    note: isMarkdown ? 'Markdown' : null,
  }));
};

const isPrintable = ({ source, target }: XliffUnit): boolean => isXmlText(source) && isXmlText(target ?? '');

/** Returns the drafts of types in the source locale as XLIFF, with the translations that exist. */
export async function exportXliff(
  store: ContentStore,
  types: readonly ContentType[],
  locales: TranslatedLocales,
): Promise<XliffExport> {
  const documents: XliffDocument[] = [];
  const omitted: string[] = [];
  for (const type of types)
    for await (const page of readDocuments(store, type, { statuses: ['draft'] }))
      for (const document of page) {
        const { documentId } = document;
        const all = unitsOf(store.model, document, locales);
        const units = all.filter(isPrintable);
        omitted.push(
          ...all.filter((unit) => !isPrintable(unit)).map(({ path }) => `${type.uid} ${documentId} ${path}`),
        );
        if (units.length > 0) documents.push({ type: type.uid, documentId, units });
      }
  return { ...locales, documents, omitted };
}
