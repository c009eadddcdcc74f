import type { ContentType, VersionStatus } from '../../model/model.js';
import type { ContentLocale, ContentStore } from '../store/content-store.js';
import type { StoredDocument } from '../store/read-documents.js';
import type { Problem } from './check.js';

/** Returns the names of attributes whose values identify a document in one locale: localized uids. */
const slugAttributes = ({ localized, attributes }: ContentType): readonly string[] =>
  localized
    ? Object.values(attributes)
        .filter((attribute) => attribute.type === 'uid' && attribute.localized && !attribute.private)
        .map(({ name }) => name)
    : [];

/** A slug of a document in one locale. */
interface Slug {
  readonly documentId: string;
  readonly locale: string | null;
  readonly value: string;
}

/** Returns the slugs of a page, in one status: that of drafts if the type has them. */
const slugsOf = (page: readonly StoredDocument[], name: string, status: VersionStatus): readonly Slug[] =>
  page.flatMap(({ documentId, versions }) =>
    versions.flatMap(({ locale, data, status: other }) => {
      const value = data[name];
      return other === status && typeof value === 'string' ? [{ documentId, locale, value }] : [];
    }),
  );

/**
 * Finds the problems of the rule `slug-collision`: another document with the same slug in an earlier locale,
 * so that each pair is found once.
 */
export async function checkSlugs(
  store: ContentStore,
  page: readonly StoredDocument[],
  locales: readonly ContentLocale[],
): Promise<readonly Problem[]> {
  const [first] = page;
  const status = first?.versions[0]?.status;
  if (first === undefined || status === undefined) return [];
  const { type } = first;
  const problems: Problem[] = [];
  for (const name of slugAttributes(type)) {
    const slugs = slugsOf(page, name, status);
    for (const [index, { code }] of locales.entries()) {
      const later = slugs.filter(({ locale }) => locales.findIndex((other) => other.code === locale) > index);
      if (later.length === 0) continue;
      const same = await store.find(type.uid, {
        filters: { [name]: { $in: [...new Set(later.map(({ value }) => value))] } },
        fields: ['documentId', name],
        locale: code,
        ...(type.draftAndPublish ? { status } : {}),
      });
      const owners = new Map(same.map((document) => [document[name], document.documentId]));
      for (const { documentId, locale, value } of later) {
        const owner = owners.get(value);
        if (owner === undefined || owner === documentId) continue;
        const message = `${value} is also the value of the document ${owner} in ${code}.`;
        const place = { type: type.uid, documentId, locale, status };
        problems.push({ ...place, rule: 'slug-collision', path: name, message });
      }
    }
  }
  return problems;
}
