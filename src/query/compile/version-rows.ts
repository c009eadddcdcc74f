import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Equality, RowPath } from '../../database/dialect/sql-expressions.js';
import { assertNever } from '../../lib/assert.js';
import { NO_LOCALE } from '../../model/model.js';
import type { ContentType, VersionStatus } from '../../model/model.js';
import { column } from './compile-context.js';
import type { CompileContext, RowScope } from './compile-context.js';
import type { ReleaseName } from '../query.js';

/** The version rows that an attribute links, seen from one row or component. */
export interface LinkedRows {
  readonly scope: RowScope;
  readonly path: RowPath;
  /** The order of the links. Empty if there is at most one row. */
  readonly order: readonly RawBuilder<unknown>[];
}

/** `"name" as "alias"` */
export const tableAs = (name: string, alias: string): RawBuilder<unknown> =>
  sql`${sql.id(name)} as ${sql.id(alias)}`;

export function versionTable(scope: RowScope): RawBuilder<unknown> {
  return tableAs(scope.schema.storage.version.table, scope.alias);
}

/** Compares with a value of the same query level. */
export const equality = (left: RawBuilder<unknown>, value: RawBuilder<unknown>): Equality => ({
  column: left,
  value,
  isOuter: false,
});
/** Compares with a column of an enclosing query. */
export const outerEquality = (left: RawBuilder<unknown>, value: RawBuilder<unknown>): Equality => ({
  column: left,
  value,
  isOuter: true,
});

export const idOf = ({ alias }: RowScope): RawBuilder<unknown> => column(alias, 'id');
export const documentIdOf = ({ alias }: RowScope): RawBuilder<unknown> => column(alias, 'document_id');
export const localeOf = ({ alias }: RowScope): RawBuilder<unknown> => column(alias, 'locale');

export const statusOf = ({ alias }: RowScope): RawBuilder<unknown> => column(alias, 'status');

/** True if a type has drafts that the statement may read. */
const showsDrafts = ({ withoutDrafts }: CompileContext, { draftAndPublish, uid }: ContentType): boolean =>
  draftAndPublish && !withoutDrafts.includes(uid);

/** True if rows of both statuses are read, so that a link leads to the version with its status. */
export const readsBothStatuses = ({ status, release }: CompileContext): boolean =>
  status === null || release !== null;

/**
 * Returns the status of a type's rows that are read; null if both are. For types whose drafts are not read,
 * returns `published`.
 */
export const statusOfType = (context: CompileContext, type: ContentType): VersionStatus | null => {
  if (!showsDrafts(context, type)) return 'published';
  return readsBothStatuses(context) ? null : context.status;
};

/** Returns a column of the change that the release makes to the document of a row; null if there is none. */
const releaseItem = (
  { bind }: CompileContext,
  release: ReleaseName,
  scope: RowScope,
  value: RawBuilder<unknown>,
): RawBuilder<unknown> => sql`(select ${value} from cms_release_items i
  where i.release_id = (
    select id from cms_releases where name = ${bind(release, 'text')} and published_at is null)
  and i.type = ${sql.lit(scope.schema.uid)} and i.document_id = ${documentIdOf(scope)}
  and i.locale = ${localeOf(scope)})`;

/** Returns the status of the row that a document shows once the release is published. */
const releasedStatus = (
  context: CompileContext,
  release: ReleaseName,
  scope: RowScope,
): RawBuilder<unknown> => {
  const status = sql`case i.action when 'publish' then 'draft' else 'none' end`;
  return sql`coalesce(${releaseItem(context, release, scope, status)}, 'published')`;
};

/** Exceeds the ids of rows, and leaves room for as many in a 32-bit integer. */
const FIRST_NEW_ID = 2 ** 30;

const publishedId = ({ nextAlias }: CompileContext, scope: RowScope): RawBuilder<unknown> => {
  const published: RowScope = { ...scope, alias: nextAlias('p') };
  return sql`(select ${idOf(published)} from ${versionTable(published)}
    where ${documentIdOf(published)} = ${documentIdOf(scope)} and ${localeOf(published)} = ${localeOf(scope)}
    and ${statusOf(published)} = 'published')`;
};

/** Returns the id by which rows are ordered: with a release, as once it is published. */
export const orderIdOf = (context: CompileContext, scope: RowScope): RawBuilder<unknown> => {
  const { release } = context;
  if (release === null || !showsDrafts(context, scope.schema)) return idOf(scope);
  const item = releaseItem(context, release, scope, sql`i.id`);
  return sql`coalesce(${publishedId(context, scope)}, ${sql.lit(FIRST_NEW_ID)} + ${item})`;
};

/** Returns the id of a record: with a release, that of the published version if there is one. */
export const recordIdOf = (context: CompileContext, scope: RowScope): RawBuilder<unknown> =>
  context.release === null || !showsDrafts(context, scope.schema)
    ? idOf(scope)
    : sql`coalesce(${publishedId(context, scope)}, ${idOf(scope)})`;

/** Returns the time of publication: with a release, drafts have that of their last change. */
export const publishedAtOf = (
  { release }: Pick<CompileContext, 'release'>,
  { alias }: RowScope,
): RawBuilder<unknown> =>
  release === null
    ? column(alias, 'published_at')
    : sql`coalesce(${column(alias, 'published_at')}, ${column(alias, 'updated_at')})`;

/** The status of the rows that are read, null if both are. */
function requestedStatus(context: CompileContext, { schema }: RowScope): VersionStatus | null {
  return statusOfType(context, schema);
}

export function statusEqualities(context: CompileContext, scope: RowScope): readonly Equality[] {
  const status = requestedStatus(context, scope);
  if (status !== null) return [equality(statusOf(scope), sql.lit(status))];
  const { release } = context;
  return release === null ? [] : [equality(statusOf(scope), releasedStatus(context, release, scope))];
}

/** Rows of the requested status, or of the source's. A source without drafts sees rows of both. */
const linkedStatusEqualities = (
  context: CompileContext,
  target: RowScope,
  source: RowScope,
): readonly Equality[] =>
  context.status === null && showsDrafts(context, target.schema) && source.schema.draftAndPublish
    ? [outerEquality(statusOf(target), statusOf(source))]
    : statusEqualities(context, target);

/** Rows of the source's locale. A source without locales sees the rows of all locales. */
const localeEqualities = (target: RowScope, source: RowScope): readonly Equality[] => {
  if (!target.schema.localized) return [equality(localeOf(target), sql.lit(NO_LOCALE))];
  return source.schema.localized ? [outerEquality(localeOf(target), localeOf(source))] : [];
};

/** True if a source sees at most one version of a target document. */
export const seesSingleVersion = ({ status }: CompileContext, target: RowScope, source: RowScope): boolean =>
  (!target.schema.localized || source.schema.localized) &&
  (status !== null || !target.schema.draftAndPublish || source.schema.draftAndPublish);

/** Selects the target versions that a source sees: of the requested status, and of the source's locale. */
export const versionEqualities = (
  context: CompileContext,
  target: RowScope,
  source: RowScope,
): readonly Equality[] => [
  ...localeEqualities(target, source),
  ...linkedStatusEqualities(context, target, source),
];

/** Creates the scope of a type's version rows, under a new alias. */
export function createRowScope(context: CompileContext, schema: ContentType): RowScope {
  return { kind: 'row', schema, alias: context.nextAlias('t') };
}

export const createPath = (scope: RowScope, rest: Omit<RowPath, 'table' | 'alias'>): RowPath => ({
  table: versionTable(scope),
  alias: scope.alias,
  ...rest,
});

const versionsOf = (
  context: CompileContext,
  source: RowScope,
  version: (scope: RowScope) => readonly Equality[],
): LinkedRows => {
  const scope = createRowScope(context, source.schema);
  const keys = [outerEquality(documentIdOf(scope), documentIdOf(source))];
  return {
    scope,
    path: createPath(scope, { link: null, keys, version: version(scope), isUnique: false }),
    order: [context.expressions.byCodePoint(localeOf(scope)), orderIdOf(context, scope)],
  };
};

/** The versions of a row's document that have the requested status, by locale. */
export function documentVersions(context: CompileContext, source: RowScope): LinkedRows {
  return versionsOf(context, source, (scope) => linkedStatusEqualities(context, scope, source));
}

/**
 * All versions of a row's document, including the row and drafts that the statement may read. This is the
 * meaning of `localizations` in filters and sort in Strapi.
 */
export function allDocumentVersions(context: CompileContext, source: RowScope): LinkedRows {
  const isLimited = source.schema.draftAndPublish && !showsDrafts(context, source.schema);
  return versionsOf(context, source, (scope) => (isLimited ? statusEqualities(context, scope) : []));
}

/** The conditions on the other version of the same document. */
interface OtherVersion {
  /** True: in the same locale. False: in any locale. */
  readonly isSameLocale: boolean;
  /** True if the draft was saved after the published version. Absent: either. */
  readonly isModified?: boolean;
}

/** Compiles the condition that the document has a version of the other status. */
const hasOtherVersion = (
  context: CompileContext,
  scope: RowScope,
  { isSameLocale, isModified }: OtherVersion,
): RawBuilder<unknown> => {
  const status = context.status === 'draft' ? 'published' : 'draft';
  const other = documentVersions({ ...context, status }, scope);
  const locale = {
    column: column(other.scope.alias, 'locale'),
    value: column(scope.alias, 'locale'),
    isOuter: true,
  };
  const path = isSameLocale
    ? { ...other.path, version: [...other.path.version, locale], isUnique: true }
    : other.path;
  const [draft, published] =
    context.status === 'draft' ? [scope.alias, other.scope.alias] : [other.scope.alias, scope.alias];
  const comparator = sql.raw(isModified === true ? '>' : '<=');
  const times =
    isModified === undefined
      ? []
      : [sql`${column(draft, 'updated_at')} ${comparator} ${column(published, 'updated_at')}`];
  return context.expressions.paths.exists(path, times, { isSelective: false });
};

const NEVER = sql`1 = 0`;

/** Compiles the publication filter of the read to conditions on a version. */
export function publicationConditions(
  context: CompileContext,
  scope: RowScope,
): readonly RawBuilder<unknown>[] {
  const { publication, status } = context;
  if (publication === null || !showsDrafts(context, scope.schema)) return [];
  switch (publication) {
    case 'never-published':
      return [
        status === 'published' ? NEVER : sql`not ${hasOtherVersion(context, scope, { isSameLocale: true })}`,
      ];
    case 'never-published-document':
      return [
        status === 'published' ? NEVER : sql`not ${hasOtherVersion(context, scope, { isSameLocale: false })}`,
      ];
    case 'has-published-version':
      return [hasOtherVersion(context, scope, { isSameLocale: true })];
    case 'has-published-version-document':
      return [hasOtherVersion(context, scope, { isSameLocale: false })];
    case 'modified':
    case 'unmodified':
      return [
        hasOtherVersion(context, scope, { isSameLocale: true, isModified: publication === 'modified' }),
      ];
    case 'published-with-draft':
      return [status === 'draft' ? NEVER : hasOtherVersion(context, scope, { isSameLocale: true })];
    case 'published-without-draft':
      return [
        status === 'draft' ? NEVER : sql`not ${hasOtherVersion(context, scope, { isSameLocale: true })}`,
      ];
    default:
      return assertNever(publication, 'publication filter');
  }
}
