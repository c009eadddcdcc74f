import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';
import type { SqlExpressions } from '../../database/dialect/sql-expressions.js';
import { typeOf } from '../../model/lookup.js';
import type { ContentModel, Uid, VersionStatus } from '../../model/model.js';
import { contentSelection } from '../parse/content-selection.js';
import type { ReadQuery } from '../query.js';
import { whereAll } from './compile-context.js';
import { contextFor, rootConditions, toCompiledRead } from './compile-read.js';
import { parameteriseRead } from './parameterise.js';
import { bindSlots } from './parameter-slots.js';
import type { BoundStatement } from './read-compiler.js';
import { compileRecord } from './record.js';
import { column } from './scope.js';
import { createRowScope, documentIdOf, localeOf, versionTable } from './version-rows.js';

/** Expressions for the properties of each version that a statement reads. */
interface ReadContents {
  readonly documentId: RawBuilder<unknown>;
  readonly locale: RawBuilder<unknown>;
  /** In milliseconds since 1970. Of a draft, the moment of the statement. */
  readonly publishedAt: RawBuilder<unknown>;
  /** The text of all that can be written again. */
  readonly content: RawBuilder<string>;
  /** The clauses from `FROM` on. */
  readonly rows: RawBuilder<unknown>;
}

/** The versions whose contents are read. */
interface ReadVersions {
  readonly documentIds: readonly string[];
  /** As it is stored. */
  readonly locale: string;
  readonly now: Date;
}

/** Stands for the moment among the values of the query. */
const NOW = Object.freeze({});

/**
 * Compiles a statement that does something with the contents of versions without showing them. Returns a
 * function that binds it to documents.
 */
export function compileContents(
  model: ContentModel,
  { type: uid, status }: { readonly type: Uid; readonly status: VersionStatus },
  expressions: SqlExpressions,
  toStatement: (contents: ReadContents) => RawBuilder<unknown>,
): (versions: ReadVersions) => Omit<BoundStatement, 'compiled'> {
  const type = typeOf(model, uid);
  const selection = contentSelection(model, type);
  const queryOf = ({ documentIds, locale }: Pick<ReadVersions, 'documentIds' | 'locale'>): ReadQuery => ({
    type: uid,
    filter: { kind: 'compare', field: 'documentId', operator: '$in', operand: documentIds },
    sort: [],
    selection,
    page: null,
    locale,
    status,
    hasPublishedVersion: null,
  });
  const query = queryOf({ documentIds: [''], locale: '' });
  const parameterised = parameteriseRead(query);
  // Nothing ends the statements of a transaction.
  const context = contextFor(model, { ...expressions, interruptible: null }, query, {
    ...parameterised,
    nodes: [...parameterised.nodes, NOW],
  });
  const scope = createRowScope(context, type);
  const publishedAt = expressions.json.milliseconds(column(scope.alias, 'published_at'), 'datetime');
  const { sql: text, slots } = toCompiledRead(
    context,
    toStatement({
      documentId: documentIdOf(scope),
      locale: localeOf(scope),
      publishedAt: sql`coalesce(cast(${publishedAt} as bigint), ${context.bind(NOW, 'bigint')})`,
      content: expressions.json.text(compileRecord(context, scope, selection)),
      rows: sql`from ${versionTable(scope)} ${whereAll(rootConditions(context, scope, query))}`,
    }),
  );
  return ({ now, ...versions }) => {
    const { values } = parameteriseRead(queryOf(versions));
    return {
      sql: text,
      parameters: bindSlots(expressions, slots, [...values, BigInt(now.getTime())]),
    };
  };
}
