import { MUST_BE_SET } from '../../documents/validation/attribute-state.js';
import { compileInput } from '../../documents/validation/compile-input.js';
import type { InputValidator } from '../../documents/validation/input.js';
import { memoize } from '../../lib/collections.js';
import { typeOf } from '../../model/lookup.js';
import type { Attribute, ContentModel, Uid, ContentType, VersionStatus } from '../../model/model.js';
import { isFileAttribute } from '../../query/parse/server-queries.js';
import type { StoredDocument } from '../store/read-documents.js';
import type { ContentLocale, ContentStore } from '../store/content-store.js';
import { examinedVersions, problemOf } from './check.js';
import type { Problem } from './check.js';

type Schema = { readonly attributes: Readonly<Record<string, Attribute>> };

const withReadAttributes = <S extends Schema>(schema: S): S => ({
  ...schema,
  attributes: Object.fromEntries(
    Object.entries(schema.attributes).filter(([, attribute]) => isFileAttribute(attribute)),
  ),
});

/** Returns the model without attributes that reads omit: hashes, and the inverse sides of relations. */
const withoutUnreadAttributes = (model: ContentModel): ContentModel => {
  const types = model.types.map(withReadAttributes);
  const components = model.components.map(withReadAttributes);
  return {
    ...model,
    types,
    components,
    typesByUid: Object.fromEntries(types.map((type) => [type.uid, type])),
    componentsByUid: Object.fromEntries(components.map((component) => [component.uid, component])),
  };
};

/**
 * Creates the rules `required-value` and `invalid-value`: the validation of writes, applied to what is
 * stored. Drafts are checked as drafts, which may lack values.
 *
 * @param model the model of the reads
 */
export function createValueRules(
  model: ContentModel,
): (page: readonly StoredDocument[]) => readonly Problem[] {
  const read = withoutUnreadAttributes(model);
  const validatorOf = memoize((uid: Uid): InputValidator => compileInput(read, typeOf(read, uid)));
  return (page) =>
    page.flatMap((document) =>
      examinedVersions(document).flatMap((version) => {
        const isDraft = document.type.draftAndPublish && version.status === 'draft';
        const issues = validatorOf(document.type.uid).check(version.data, isDraft ? 'draft' : 'full');
        return issues.map(({ path, message }) =>
          problemOf(document, version, {
            rule: message === MUST_BE_SET ? 'required-value' : 'invalid-value',
            path: path.join('.'),
            message: `The value ${message}.`,
          }),
        );
      }),
    );
}

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

/** Returns the slugs of a page in one status. */
const slugsOf = (page: readonly StoredDocument[], name: string, status: VersionStatus): readonly Slug[] =>
  page.flatMap(({ documentId, versions }) =>
    versions.flatMap(({ locale, data, status: other }) => {
      const value = data[name];
      return other === status && typeof value === 'string' ? [{ documentId, locale, value }] : [];
    }),
  );

/** Finds the slugs of a page in one status that another document has in an earlier locale. */
const findCollisions = async (
  store: ContentStore,
  page: readonly StoredDocument[],
  { type, name, status }: { type: ContentType; name: string; status: VersionStatus },
  locales: readonly ContentLocale[],
): Promise<readonly Problem[]> => {
  const slugs = slugsOf(page, name, status);
  const problems: Problem[] = [];
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
  return problems;
};

/**
 * Finds the problems of the rule `slug-collision`: another document with the same slug in an earlier locale,
 * so that each pair is found once. Drafts are compared with drafts, published versions with published ones.
 */
export async function checkSlugs(
  store: ContentStore,
  page: readonly StoredDocument[],
  locales: readonly ContentLocale[],
): Promise<readonly Problem[]> {
  const type = page[0]?.type;
  if (type === undefined) return [];
  const statuses = new Set(page.flatMap(({ versions }) => versions.map(({ status }) => status)));
  const problems: Problem[] = [];
  for (const name of slugAttributes(type))
    for (const status of statuses)
      problems.push(...(await findCollisions(store, page, { type, name, status }, locales)));
  return problems;
}
