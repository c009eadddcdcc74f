import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { assertNever } from '../lib/assert-never.js';
import type { CompileContext } from './compile-context.js';
import { sameDocument } from './links.js';
import { column } from './scope.js';
import type { RowScope } from './scope.js';

/** What the other version of the same document has to be like. */
interface Other {
  /** In the same locale; false: in any. */
  readonly isPair: boolean;
  /** Whether the draft of the two was saved after the published one; absent: does not matter. */
  readonly isModified?: boolean;
}

/** Whether the document has a version of the other status. */
const hasOther = (context: CompileContext, scope: RowScope, { isPair, isModified }: Other): RawBuilder<unknown> => {
  const status = context.status === 'draft' ? 'published' : 'draft';
  const other = sameDocument({ ...context, status }, scope);
  const locale = { column: column(other.scope.alias, 'locale'), value: column(scope.alias, 'locale'), isOuter: true };
  const path = isPair ? { ...other.path, version: [...other.path.version, locale], isUnique: true } : other.path;
  const [draft, published] = context.status === 'draft' ? [scope.alias, other.scope.alias] : [other.scope.alias, scope.alias];
  const isLater = sql.raw(isModified === true ? '>' : '<=');
  const times = isModified === undefined ? [] : [sql`${column(draft, 'updated_at')} ${isLater} ${column(published, 'updated_at')}`];
  return context.dialect.someRow(path, times, false);
};

const NOTHING = sql`1 = 0`;

/** The conditions that the read's publication filter puts on a version. */
export function publicationConditions(context: CompileContext, scope: RowScope): readonly RawBuilder<unknown>[] {
  const { publication, status } = context;
  if (publication === null || !scope.holder.draftAndPublish) return [];
  switch (publication) {
    case 'never-published': return [status === 'published' ? NOTHING : sql`not ${hasOther(context, scope, { isPair: true })}`];
    case 'never-published-document': return [status === 'published' ? NOTHING : sql`not ${hasOther(context, scope, { isPair: false })}`];
    case 'has-published-version': return [hasOther(context, scope, { isPair: true })];
    case 'has-published-version-document': return [hasOther(context, scope, { isPair: false })];
    case 'modified': case 'unmodified': return [hasOther(context, scope, { isPair: true, isModified: publication === 'modified' })];
    case 'published-with-draft': return [status === 'draft' ? NOTHING : hasOther(context, scope, { isPair: true })];
    case 'published-without-draft': return [status === 'draft' ? NOTHING : sql`not ${hasOther(context, scope, { isPair: true })}`];
    default: return assertNever(publication, 'publication filter');
  }
}
