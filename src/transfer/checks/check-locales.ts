import type { ContentType } from '../../model/model.js';
import type { ContentLocale, ContentStore } from '../store/content-store.js';
import { readDocuments } from '../store/read-documents.js';
import type { StoredDocument, StoredVersion, ReadOptions } from '../store/read-documents.js';
import type { Problem } from './check.js';

/** The locales in which a document lacks a version, and those that are older than the default locale. */
interface TranslationState {
  readonly missing: readonly string[];
  readonly outdated: readonly string[];
}

const timeOf = ({ data }: StoredVersion): number => new Date(String(data['updatedAt'])).getTime();

/** Compares the versions of a document in one status: drafts if the type has them. */
function translationState(
  { type, versions }: StoredDocument,
  locales: readonly ContentLocale[],
): TranslationState {
  const status = versions[0]?.status;
  const times = new Map(
    versions
      .filter((version) => version.status === status)
      .map((version) => [version.locale, timeOf(version)] as const),
  );
  if (!type.localized) return { missing: [], outdated: [] };
  const codes = locales.map(({ code }) => code);
  const source = times.get(locales.find(({ isDefault }) => isDefault)?.code ?? '') ?? 0;
  return {
    missing: codes.filter((code) => !times.has(code)),
    outdated: codes.filter((code) => (times.get(code) ?? source) < source),
  };
}

/** Finds the problems of the rules `missing-translation` and `outdated-translation`. */
export function checkLocales(
  page: readonly StoredDocument[],
  locales: readonly ContentLocale[],
): readonly Problem[] {
  const source = locales.find(({ isDefault }) => isDefault)?.code ?? '';
  return page.flatMap((document) => {
    const { missing, outdated } = translationState(document, locales);
    const place = { type: document.type.uid, documentId: document.documentId, status: null, path: '' };
    return [
      ...missing.map((locale) => ({
        ...place,
        locale,
        rule: 'missing-translation',
        message: `The document has no version in ${locale}.`,
      })),
      ...outdated.map((locale) => ({
        ...place,
        locale,
        rule: 'outdated-translation',
        message: `The version in ${locale} is older than the one in ${source}.`,
      })),
    ];
  });
}

/** The number of documents of a type in one locale, by the state of their translation. */
export interface LocaleStatus {
  readonly type: string;
  readonly locale: string;
  readonly complete: number;
  readonly missing: number;
  readonly outdated: number;
}

/** Counts the translations of each localized type in each locale. */
export async function countTranslations(
  store: ContentStore,
  types: readonly ContentType[],
  options: Pick<ReadOptions, 'statuses'> = {},
): Promise<readonly LocaleStatus[]> {
  const locales = await store.locales();
  const counts: LocaleStatus[] = [];
  for (const type of types.filter(({ localized }) => localized)) {
    const missing = new Map<string, number>();
    const outdated = new Map<string, number>();
    let total = 0;
    const add = (map: Map<string, number>, codes: readonly string[]): void => {
      for (const code of codes) map.set(code, (map.get(code) ?? 0) + 1);
    };
    const [status = 'draft'] = options.statuses ?? [];
    for await (const page of readDocuments(store, type, { statuses: [status], isOutline: true })) {
      total += page.length;
      for (const document of page) {
        const state = translationState(document, locales);
        add(missing, state.missing);
        add(outdated, state.outdated);
      }
    }
    for (const { code } of locales) {
      const [absent, old] = [missing.get(code) ?? 0, outdated.get(code) ?? 0];
      const complete = total - absent - old;
      counts.push({ type: type.uid, locale: code, complete, missing: absent, outdated: old });
    }
  }
  return counts;
}
