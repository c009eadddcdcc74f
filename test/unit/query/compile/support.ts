import { getDialect } from '../../../../src/database/get-dialect.js';
import type { Dialect } from '../../../../src/database/dialect/dialect.js';
import type { ContentModel } from '../../../../src/model/model.js';
import { parseReadQuery } from '../../../../src/query/parse/parse-read-query.js';
import type { ReadQuery } from '../../../../src/query/query.js';
import type { RawReadParams } from '../../../../src/query/read-context.js';

export const DIALECTS: readonly Dialect[] = [getDialect('sqlite'), getDialect('postgresql')];

const LIMITS = { defaultLimit: 25, maxLimit: 100, populateDepth: 20, maxNodes: 1000 };

export function parse(model: ContentModel, type: string, params: RawReadParams = {}): ReadQuery {
  return parseReadQuery(model, type, params, {
    limits: LIMITS,
    access: { canFind: () => true },
    defaultLocale: 'en',
  });
}
