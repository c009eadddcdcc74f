import { createError } from '../../errors/catalogue.js';
import { isGalleyError } from '../../errors/galley-error.js';
import { getOrCreate } from '../../lib/collections.js';
import type { ContentModel, ContentType } from '../../model/model.js';
import { withItemIds } from '../files/version-data.js';
import type { Data } from '../files/version-data.js';
import type { ContentStore, ContentWrite } from '../store/content-store.js';
import { findDrafts } from '../store/read-documents.js';
import type { StoredDocument } from '../store/read-documents.js';
import { comparableTexts, draftIn } from './export-xliff.js';
import type { LocaleDraft, TranslatedLocales } from './export-xliff.js';
import { shapeOf, textsOf, withTexts } from './translatable-texts.js';
import type { XliffDocument, XliffFile } from './xliff-file.js';

/** The translation of one document. */
export interface PlannedTranslation {
  readonly type: ContentType;
  readonly documentId: string;
  /** True if the document has no version in the locale yet. */
  readonly isNew: boolean;
  /** The number of texts that change. */
  readonly texts: number;
  /** Paths of the values whose components or blocks are replaced by those of the source. */
  readonly replaced: readonly string[];
  readonly write: ContentWrite;
}

/** A unit or a document that is not imported. */
interface SkippedTranslation {
  readonly type: string;
  readonly documentId: string;
  /** Empty: the whole document. */
  readonly path: string;
  readonly reason: string;
}

export interface TranslationPlan {
  readonly translations: readonly PlannedTranslation[];
  readonly skipped: readonly SkippedTranslation[];
  /** The number of texts of the file that have no translation. */
  readonly untranslated: number;
}

/** Returns a text as tools for translators may store it: with other line ends, and without outer spaces. */
const comparable = (text: string): string => text.replaceAll(/\r\n?/g, '\n').trim();

/** Returns a translation with the spaces around the source, which XML tools drop. */
const withOuterSpace = (source: string, translation: string): string => {
  const [before = ''] = /^\s*/.exec(source) ?? [];
  const [after = ''] = /\s*$/.exec(source) ?? [];
  return `${before}${translation.trim()}${after}`;
};

/** Returns the translations of a document by their path, and skips those of other sources. */
const usableTranslations = (
  sources: ReturnType<typeof textsOf>,
  { type, documentId, units }: XliffDocument,
  skipped: SkippedTranslation[],
): ReadonlyMap<string, string> => {
  const usable = new Map<string, string>();
  for (const { path, source, target } of units) {
    if (target === null) continue;
    const current = sources.get(path);
    const skip = (reason: string) => skipped.push({ type, documentId, path, reason });
    if (current === undefined) skip('the document has no such text');
    else if (comparable(current.text) === comparable(source))
      usable.set(path, withOuterSpace(current.text, target));
    else skip('the source text has changed since the export');
  }
  return usable;
};

/** Attributes of a new version that are generated from others, such as a slug from the title. */
const withoutGenerated = (type: ContentType, values: Data): Data =>
  Object.fromEntries(
    Object.entries(values).filter(([name]) => {
      const attribute = type.attributes[name];
      return !(attribute?.family === 'scalar' && attribute.constraints.generate === true);
    }),
  );

/** Returns the values of the translated attributes. Those of a new version include all others. */
const translatedValues = (
  model: ContentModel,
  type: ContentType,
  { source, target }: { readonly source: LocaleDraft; readonly target: LocaleDraft | null },
  changed: ReadonlyMap<string, string>,
): Data => {
  const names = new Set([...changed.keys()].map((path) => path.split('.', 1)[0] ?? ''));
  const values =
    target === null
      ? withoutGenerated(type, source.values)
      : Object.fromEntries(
          [...names].map((name) => {
            const [from, to] = [source.values[name], target.values[name]];
            const attribute = type.attributes[name];
            const isSameShape =
              attribute !== undefined && shapeOf(model, attribute, from) === shapeOf(model, attribute, to);
            return [name, isSameShape ? to : from];
          }),
        );
  const data = withTexts(model, type, { values, source: source.values }, changed);
  return target === null ? data : withItemIds(model, type, data, target.record);
};

const planDocument = (
  model: ContentModel,
  stored: StoredDocument,
  file: XliffDocument,
  { locales, skipped }: { readonly locales: TranslatedLocales; readonly skipped: SkippedTranslation[] },
): PlannedTranslation | null => {
  const { type, documentId } = stored;
  const source = draftIn(model, stored, locales.source);
  const skip = (path: string, reason: string): null => {
    skipped.push({ type: type.uid, documentId, path, reason });
    return null;
  };
  if (source === null) return skip('', `the document has no version in ${locales.source}`);
  const target = draftIn(model, stored, locales.target);
  const sources = textsOf(model, type, source.values);
  const translations = usableTranslations(sources, file, skipped);
  const current = comparableTexts(model, type, { source, target }, sources);
  const changed = new Map(
    [...translations].filter(
      ([path, text]) => comparable(current.texts.get(path)?.text ?? '') !== comparable(text),
    ),
  );
  if (changed.size === 0) return null;
  try {
    const data = translatedValues(model, type, { source, target }, changed);
    const write: ContentWrite = { action: 'update', documentId, locale: locales.target, data };
    const paths = [...changed.keys()];
    const isReplaced = (path: string): boolean =>
      paths.some((other) => other === path || other.startsWith(`${path}.`));
    const replaced = [...current.mismatched].filter(isReplaced);
    return { type, documentId, isNew: target === null, texts: changed.size, replaced, write };
  } catch (error) {
    if (isGalleyError(error) && error.code === 'content/invalid-translation') return skip('', error.message);
    throw error;
  }
};

/**
 * Plans the writes that bring drafts to the translations of a file. Texts whose source has changed since the
 * export are skipped. A new version gets the other values of its source.
 *
 * @throws `access/unknown-locale`, `content/not-localized`
 */
export async function planTranslations(store: ContentStore, file: XliffFile): Promise<TranslationPlan> {
  const { model } = store;
  const translations: PlannedTranslation[] = [];
  const skipped: SkippedTranslation[] = [];
  const byType = new Map<string, XliffDocument[]>();
  for (const document of file.documents) getOrCreate(byType, document.type, () => []).push(document);
  for (const [uid, documents] of byType) {
    const type = Object.hasOwn(model.typesByUid, uid) ? model.typesByUid[uid] : undefined;
    if (type === undefined) {
      const reason = `there is no content-type ${uid}`;
      skipped.push(...documents.map(({ documentId }) => ({ type: uid, documentId, path: '', reason })));
      continue;
    }
    if (!type.localized) throw createError('content/not-localized', { type: uid });
    const ids = documents.map(({ documentId }) => documentId);
    const stored = new Map<string, StoredDocument>();
    for await (const page of findDrafts(store, type, ids))
      for (const document of page) stored.set(document.documentId, document);
    for (const document of documents) {
      const { documentId } = document;
      const found = stored.get(documentId);
      const context = { locales: file, skipped };
      const planned = found === undefined ? null : planDocument(model, found, document, context);
      if (planned !== null) translations.push(planned);
      if (found === undefined)
        skipped.push({ type: uid, documentId, path: '', reason: 'the document does not exist' });
    }
  }
  const units = file.documents.flatMap((document) => document.units);
  return { translations, skipped, untranslated: units.filter(({ target }) => target === null).length };
}
