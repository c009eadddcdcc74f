import { sql } from 'kysely';
import { createError } from '../../errors/catalogue.js';
import type { GalleyError } from '../../errors/galley-error.js';
import { groupBy } from '../../lib/collections.js';
import { typeOf } from '../../model/lookup.js';
import { NO_LOCALE } from '../../model/model.js';
import type { ContentType, Uid } from '../../model/model.js';
import type { AccessScope, ReadAccess } from '../../query/read-access.js';
import type { LinkChange } from '../links/link-changes.js';
import type { RelationMapping } from '../links/relation-mapping.js';
import { ownerAttribute, rejectOwner } from './caller-links.js';
import type { FieldValues } from './table-statements.js';
import type { WriteContext } from './write-context.js';

/*
 * The limits of permissions to drafts and to locales. Other limits, those to attributes and to documents, are
 * checked in prepare-write.
 */

type Scope = AccessScope | null;

const draftsOnly = (type: Uid, reason: string): GalleyError =>
  createError('request/drafts-only', { type, reason });

const localeForbidden = (type: Uid, { locales }: AccessScope, reason: string): GalleyError =>
  createError('request/locale-forbidden', { type, locales: [...(locales ?? [])].join(', '), reason });

/**
 * Asserts that a permission covers published versions.
 *
 * @param reason the effect on a published version: `this request publishes`
 * @throws `request/drafts-only`
 */
export function assertCoversPublished(type: Pick<ContentType, 'uid'>, scope: Scope, reason: string): void {
  if (scope?.status === 'draft') throw draftsOnly(type.uid, reason);
}

/**
 * Asserts that a permission covers a locale.
 *
 * @param locale the stored form of the locale
 * @throws `request/locale-forbidden`
 */
export function assertCoversLocale(type: Pick<ContentType, 'uid'>, scope: Scope, locale: string): void {
  if (scope?.locales !== undefined && !scope.locales.has(locale))
    throw localeForbidden(type.uid, scope, `this request concerns ${locale}`);
}

/**
 * Asserts that a caller may change versions of a document by other means than `create` and `update`, whose
 * limits apply.
 *
 * @throws `request/drafts-only`, `request/locale-forbidden`
 */
export function assertCoversVersions(
  type: Pick<ContentType, 'uid' | 'draftAndPublish'>,
  access: Pick<ReadAccess, 'scopeOf'>,
  versions: readonly { readonly locale: string; readonly status: string }[],
  reason: string,
): void {
  for (const action of ['create', 'update']) {
    const scope = access.scopeOf?.(type.uid, action) ?? null;
    for (const { locale, status } of versions) {
      if (type.draftAndPublish && status === 'published') assertCoversPublished(type, scope, reason);
      if (locale !== NO_LOCALE) assertCoversLocale(type, scope, locale);
    }
  }
}

/**
 * Asserts that the permission covers another locale of the document, to which a write copies shared values.
 *
 * @param changes the values that change there, by field
 * @throws `request/locale-forbidden`
 */
export function assertMayShare(
  { type, scope }: Pick<WriteContext, 'type' | 'scope'>,
  locale: string,
  changes: FieldValues,
): void {
  const [field] = Object.keys(changes);
  if (field === undefined || scope?.locales === undefined || scope.locales.has(locale)) return;
  const attribute = Object.values(type.attributes).find(
    (candidate) =>
      ('column' in candidate && candidate.column.field === field) ||
      ('link' in candidate && candidate.link?.kind === 'column' && candidate.link.field === field),
  );
  const name = `${type.uid}.${attribute?.name ?? field}`;
  throw localeForbidden(type.uid, scope, `this request changes ${name}, which ${locale} shares`);
}

/** The rows of links that a write changes, and versions whose columns it sets. */
interface ChangedRows {
  readonly links: readonly number[];
  readonly versions: readonly number[];
}

/** Returns the rows that changes of one link concern. The owner's content excludes its position in a list. */
const changedRows = (changes: readonly LinkChange[]): ChangedRows => {
  const links: number[] = [];
  const versions: number[] = [];
  for (const change of changes) {
    if (change.kind === 'insert') versions.push(change.entry.sourceId);
    else if (change.kind === 'assign') versions.push(change.rowId);
    else if (change.kind === 'remove' || (change.kind === 'move' && change.side === 'owner'))
      (change.mapping.link.kind === 'column' ? versions : links).push(change.rowId);
  }
  return { links, versions };
};

interface OwnerVersion {
  readonly documentId: string;
  readonly locale: string;
  readonly status: string;
}

/** Loads the versions of owners that changes of one link concern. */
const loadOwners = async (
  { database, tx }: WriteContext,
  { owner, link }: RelationMapping,
  { links, versions }: ChangedRows,
): Promise<readonly OwnerVersion[]> => {
  const { expressions } = database.dialect;
  const isIn = (column: string, ids: readonly number[]) =>
    expressions.inList(sql.id(column), 'integer', expressions.encodeList('integer', ids));
  const isLinking =
    link.kind === 'column'
      ? sql`1 = 0`
      : sql`id in (select source_id from ${sql.id(link.table)} where ${isIn('id', links)})`;
  const statement = sql`select distinct document_id, locale, status
    from ${sql.id(owner.storage.version.table)}
    where ${isIn('id', versions)} or ${isLinking}`.compile(expressions.kysely);
  const rows = await tx.query(statement.sql, statement.parameters);
  return rows.map((row) => ({
    documentId: String(row['document_id']),
    locale: String(row['locale']),
    status: String(row['status']),
  }));
};

/**
 * Asserts that the permissions of the caller cover the versions whose links change: those of other documents,
 * and of other locales of the written one. A caller without permission to update the other type may link its
 * documents, as in Strapi.
 *
 * @throws `request/drafts-only`, `request/locale-forbidden`, `request/owner-forbidden`
 */
export async function assertMayLink(context: WriteContext, changes: readonly LinkChange[]): Promise<void> {
  const { access, scope, type, documentId, locale } = context;
  if (access === undefined && scope === null) return;
  for (const [mapping, ofLink] of groupBy(changes, (change) => change.mapping)) {
    const { owner, attribute } = mapping;
    const changed = changedRows(ofLink);
    if (changed.links.length + changed.versions.length === 0) continue;
    const owning = attribute.side === 'inverse' ? ownerAttribute(mapping) : null;
    if (owning !== null && access?.maySetOwner?.(owner.uid) === false) rejectOwner(owner, owning.name);
    const isOwn = owner.uid === type.uid;
    const ownerScope = isOwn ? scope : (access?.scopeOf?.(owner.uid, 'update') ?? null);
    if (ownerScope?.locales === undefined && ownerScope?.status === undefined) continue;
    const name = `${mapping.declaringType.uid}.${attribute.name}`;
    for (const version of await loadOwners(context, mapping, changed)) {
      if (isOwn && version.documentId === documentId && version.locale === locale) continue;
      if (typeOf(context.model, owner.uid).draftAndPublish && version.status === 'published')
        assertCoversPublished(owner, ownerScope, `${name} is a link of a published version`);
      if (ownerScope.locales?.has(version.locale) === false && version.locale !== NO_LOCALE)
        throw localeForbidden(owner.uid, ownerScope, `${name} is a link of a version in ${version.locale}`);
    }
  }
}
