import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { assertNever } from '../../lib/assert-never.js';
import type { CompileContext } from './compile-context.js';
import { documentVersions, showsDrafts } from './version-rows.js';
import { column } from './scope.js';
import type { RowScope } from './scope.js';

/** The conditions on the other version of the same document. */
interface OtherVersion {
  /** True: in the same locale. False: in any locale. */
  readonly isSameLocale: boolean;
  /** True if the draft was saved after the published version. Absent: either. */
  readonly isModified?: boolean;
}

/** Compiles whether the document has a version of the other status. */
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
