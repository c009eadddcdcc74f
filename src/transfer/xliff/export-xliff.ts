import { createError } from '../../errors/catalogue.js';
import { getOrCreate, memoize } from '../../lib/collections.js';
import type { ContentModel, ContentType } from '../../model/model.js';
import { normalizeData } from '../files/version-data.js';
import type { Data } from '../files/version-data.js';
import type { ContentStore } from '../store/content-store.js';
import { readDocuments } from '../store/read-documents.js';
import type { StoredDocument } from '../store/read-documents.js';
import { omittedAttributes, shapeOf, textsOf } from './translatable-texts.js';
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

/** The texts of a translation that belong to texts of its source. */
export interface ComparableTexts {
  readonly texts: ReadonlyMap<string, TranslatableText>;
  /** Paths of the values whose components or blocks differ from those of the source. */
  readonly mismatched: ReadonlySet<string>;
}

/** Compares a translation with the texts of its source. */
export function comparableTexts(
  model: ContentModel,
  type: ContentType,
  { source, target }: { readonly source: LocaleDraft; readonly target: LocaleDraft | null },
  sources: ReadonlyMap<string, TranslatableText>,
): ComparableTexts {
  const translations = textsOf(model, type, target?.values ?? {}, 'both');
  const nameOf = (path: string): string => path.split('.', 1)[0] ?? '';
  const filledNames = new Set([...translations.keys()].map(nameOf));
  const structures = new Map<string, Set<string | null>>();
  for (const { valuePath, structure } of translations.values())
    getOrCreate(structures, valuePath, () => new Set()).add(structure);
  const differs = memoize((name: string): boolean => {
    const attribute = type.attributes[name];
    return (
      attribute !== undefined &&
      shapeOf(model, attribute, target?.values[name]) !== shapeOf(model, attribute, source.values[name])
    );
  });
  const texts = new Map<string, TranslatableText>();
  const mismatched = new Set<string>();
  for (const { path, valuePath, structure } of sources.values()) {
    const name = nameOf(path);
    const translation = translations.get(path);
    if (differs(name)) {
      if (filledNames.has(name)) mismatched.add(name);
    } else if (translation !== undefined && translation.structure === structure) texts.set(path, translation);
    else if (structures.get(valuePath)?.has(structure) === false) mismatched.add(valuePath);
  }
  return { texts, mismatched };
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
  /** The values whose translations do not have the components or blocks of the source, in the same form. */
  readonly mismatched: readonly string[];
  /** The number of documents without a draft in the source locale, which are not exported. */
  readonly withoutSource: number;
  /** The localized attributes whose texts are not exported: `api::page.page.data (json)`. */
  readonly omittedAttributes: readonly string[];
}

/** The texts of a document with their translations. */
interface DocumentTexts {
  readonly units: readonly XliffUnit[];
  readonly mismatched: ReadonlySet<string>;
}

/** Returns the texts of a document with their translations. Null: it has no draft in the source locale. */
const textsOfDocument = (
  model: ContentModel,
  document: StoredDocument,
  locales: TranslatedLocales,
): DocumentTexts | null => {
  const { type } = document;
  const source = draftIn(model, document, locales.source);
  if (source === null) return null;
  const sources = textsOf(model, type, source.values);
  const target = draftIn(model, document, locales.target);
  const { texts, mismatched } = comparableTexts(model, type, { source, target }, sources);
  const units = [...sources.values()].map(({ path, text, isMarkdown }) => ({
    path,
    source: text.trim(),
    target: texts.get(path)?.text.trim() ?? null,
    note: isMarkdown ? 'Markdown' : null,
  }));
  return { units, mismatched };
};

const isPrintable = ({ source, target }: XliffUnit): boolean => isXmlText(source) && isXmlText(target ?? '');

/** Returns the drafts of types in the source locale as XLIFF, with the translations that exist. */
export async function exportXliff(
  store: ContentStore,
  types: readonly ContentType[],
  locales: TranslatedLocales,
): Promise<XliffExport> {
  const { model } = store;
  const documents: XliffDocument[] = [];
  const omitted: string[] = [];
  const mismatched: string[] = [];
  let withoutSource = 0;
  for (const type of types)
    for await (const page of readDocuments(store, type, { statuses: ['draft'] }))
      for (const document of page) {
        const { documentId } = document;
        const placeOf = (path: string): string => `${type.uid} ${documentId} ${path}`;
        const texts = textsOfDocument(model, document, locales);
        if (texts === null) {
          withoutSource += 1;
          continue;
        }
        const units = texts.units.filter(isPrintable);
        omitted.push(...texts.units.filter((unit) => !isPrintable(unit)).map(({ path }) => placeOf(path)));
        mismatched.push(...[...texts.mismatched].map(placeOf));
        if (units.length > 0) documents.push({ type: type.uid, documentId, units });
      }
  return {
    ...locales,
    documents,
    omitted,
    mismatched,
    withoutSource,
    omittedAttributes: omittedAttributes(model, types),
  };
}
