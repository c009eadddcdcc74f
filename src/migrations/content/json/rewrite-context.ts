import type { JsonRewriting } from '../../../database/dialect/json-rewriting.js';
import type { ContentModel } from '../../../model/model.js';

/** Context for building the SQL of one statement. */
export interface RewriteContext {
  readonly json: JsonRewriting;
  /** The model after the migration. */
  readonly after: ContentModel;
  /** Returns an alias that the statement does not have yet. */
  readonly nextAlias: () => string;
}

export function createRewriteContext(json: JsonRewriting, after: ContentModel): RewriteContext {
  let count = 0;
  return { json, after, nextAlias: () => `j${++count}` };
}

/** JSON as a list: itself, an object as a list of one, and anything else as an empty list. */
export function asList({ json }: RewriteContext, value: string): string {
  return [
    `CASE WHEN ${json.isType(value, 'array')} THEN ${value}`,
    `WHEN ${json.isType(value, 'object')} THEN ${json.listOf(value)}`,
    `ELSE ${json.literal([])} END`,
  ].join(' ');
}

/** The first item of a list, or JSON null. */
export function firstOrNull({ json }: RewriteContext, list: string): string {
  return `coalesce(${json.first(list)}, ${json.literal(null)})`;
}
