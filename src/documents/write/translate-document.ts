import { createError } from '../../errors/catalogue.js';
import { getOrCreate } from '../../lib/collections.js';
import { isRecord } from '../../lib/records.js';
import { linksCaller, typeOf } from '../../model/lookup.js';
import type { Attribute, ContentType, Uid } from '../../model/model.js';
import { contentSelection } from '../../query/parse/server-queries.js';
import { accessAtStatus, defaultStatusOfCode, draftLimits, FULL_ACCESS } from '../../query/read-access.js';
import type { ReadAccess } from '../../query/read-access.js';
import { IDS_ONLY } from '../../query/query.js';
import type { ReadQuery } from '../../query/query.js';
import type { DocumentContext } from '../document-context.js';
import type { DocumentService, Omission, RecordText, TranslateParams } from '../documents.js';
import { resolveLocale } from './write-params.js';
import { chooseContent } from './choose-content.js';
import type { ContentChoice } from './choose-content.js';

const invalid = (parameter: string, reason: string): Error =>
  createError('request/invalid-parameter', { parameter, reason });

/** Returns the query for the version to copy: the draft, unless the caller may not read drafts. */
const sourceQuery = (
  { model }: Pick<DocumentContext, 'model'>,
  type: ContentType,
  access: ReadAccess,
  locale: string,
): ReadQuery => {
  const status = type.draftAndPublish ? defaultStatusOfCode(access, type) : 'published';
  const rights = accessAtStatus(access, status);
  const action = type.kind === 'singleType' ? 'find' : 'findOne';
  return {
    type: type.uid,
    filter: rights.scopeOf?.(type.uid, action)?.filter ?? null,
    sort: [],
    selection: contentSelection(model, type),
    page: null,
    locale,
    status,
    hasPublishedVersion: null,
    ...draftLimits(rights),
  };
};

/** Returns a function that is true for the names of attributes that the caller may both read and write. */
const permittedNames = (access: ReadAccess, type: ContentType): ((name: string) => boolean) => {
  const actions = [type.kind === 'singleType' ? 'find' : 'findOne', 'update'];
  const limits = actions.flatMap((action) => access.scopeOf?.(type.uid, action)?.fields ?? []);
  return (name) => limits.every((fields) => fields.has(name));
};

const assertAttributes = (type: ContentType, names: readonly string[] | undefined): void => {
  const unknownName = names?.find((name) => !Object.hasOwn(type.attributes, name));
  if (unknownName !== undefined)
    throw invalid('attributes', `${type.singularName} has no attribute ${unknownName.slice(0, 60)}.`);
};

/** True if the caller may write the attribute, and find the documents that it links. */
const isOpen = (access: ReadAccess, attribute: Attribute): boolean => {
  if (!attribute.writable && access.isOfClient === true) return false;
  const target = 'target' in attribute ? attribute.target : null;
  return target === null || access.canFind(target);
};

/** True if the new locale gets an owner of its own, or none if the caller may not set it. */
const hasNewOwner = ({ caller, maySetOwner }: ReadAccess, type: ContentType, attribute: Attribute): boolean =>
  linksCaller(attribute) && (caller !== undefined || maySetOwner?.(type.uid) === false);

const isGenerated = (attribute: Attribute): boolean =>
  attribute.family === 'scalar' && attribute.constraints.generate === true;

/** Returns a function that is true if a linked document has the locale, or if its type has no locales. */
const findTranslated = async (
  { model, records }: Pick<DocumentContext, 'model' | 'records'>,
  type: ContentType,
  content: Readonly<Record<string, unknown>>,
  { keepsAttribute, locale }: Required<Pick<ContentChoice, 'keepsAttribute'>> & { readonly locale: string },
): Promise<(target: Uid, documentId: string) => boolean> => {
  const linked = new Map<Uid, Set<string>>();
  chooseContent(model, type, content, {
    keepsAttribute,
    keepsLink: (target, documentId) =>
      getOrCreate(linked, target, () => new Set<string>()).add(documentId).size > 0,
    onGone: () => undefined,
  });
  const translated = new Map<Uid, ReadonlySet<unknown>>();
  for (const [uid, documentIds] of linked) {
    const { localized, draftAndPublish } = typeOf(model, uid);
    if (!localized) continue;
    const found = await records.many({
      type: uid,
      filter: { kind: 'compare', field: 'documentId', operator: '$in', operand: [...documentIds] },
      sort: [],
      selection: IDS_ONLY,
      page: null,
      locale,
      status: draftAndPublish ? 'draft' : 'published',
      hasPublishedVersion: null,
    });
    const ids = found.map((text) => (JSON.parse(text) as { readonly documentId: unknown }).documentId);
    translated.set(uid, new Set(ids));
  }
  return (target, documentId) => translated.get(target)?.has(documentId) !== false;
};

/**
 * Copies a locale of a document to another one, which must not exist. The values of `data` replace copied
 * ones. Omits private attributes, and generates the values of generated ones. Attributes that all locales
 * share keep their value, and links to documents without the new locale are omitted. Returns null if the
 * document does not exist in the source locale, or is hidden.
 *
 * @throws `request/version-exists`, `request/unknown-locale`, `request/invalid-parameter`,
 *   `request/forbidden` if the caller may not read the type, and the errors of an update
 */
export async function translateDocument(
  context: Pick<DocumentContext, 'model' | 'locales' | 'records'>,
  documents: Pick<DocumentService, 'findOne' | 'update'>,
  { from, attributes, data, access = FULL_ACCESS, ...params }: TranslateParams,
): Promise<{ readonly record: RecordText; readonly omitted: readonly Omission[] } | null> {
  const type = typeOf(context.model, params.type);
  if (!type.localized) throw invalid('locale', `${type.singularName} is not localised.`);
  const source = resolveLocale(context, type, from);
  if (resolveLocale(context, type, params.locale) === source)
    throw invalid('from', 'it must be another locale than the one that is written.');
  assertAttributes(type, attributes);
  if (!access.canFind(type.uid)) throw createError('request/forbidden');
  const record = await documents.findOne(sourceQuery(context, type, access, source), params.documentId);
  if (record === null) return null;
  const isPermitted = permittedNames(access, type);
  const parsed: unknown = JSON.parse(record);
  const content = isRecord(parsed) ? parsed : {};
  const isChosen = ({ length }: readonly string[], attribute: Attribute): boolean =>
    length > 1 ||
    (attribute.localized &&
      (attributes?.includes(attribute.name) ??
        !(isGenerated(attribute) || hasNewOwner(access, type, attribute))));
  const isCopyable = ({ length }: readonly string[], attribute: Attribute): boolean =>
    (length > 1 || isPermitted(attribute.name)) && isOpen(access, attribute);
  const hasLocale = await findTranslated(context, type, content, {
    keepsAttribute: (path, attribute) => isChosen(path, attribute) && isCopyable(path, attribute),
    locale: params.locale,
  });
  const omitted: Omission[] = [];
  const copied = chooseContent(context.model, type, content, {
    keepsAttribute: (path, attribute) => {
      if (!isChosen(path, attribute)) return false;
      const isKept = isCopyable(path, attribute);
      if (!isKept) omitted.push({ attribute: path.join('.'), reason: 'requires permissions that you lack' });
      return isKept;
    },
    keepsLink: (target, documentId, path) => {
      if (!access.canFind(target)) return false;
      const isKept = hasLocale(target, documentId);
      if (!isKept)
        omitted.push({ attribute: path.join('.'), reason: `${target} ${documentId} has no such locale` });
      return isKept;
    },
    onGone: () => undefined,
  });
  const written = await documents.update({
    ...params,
    access,
    data: { ...copied, ...data },
    ifMatch: { kind: 'absent' },
  });
  return written === null ? null : { ...written, omitted };
}
