import type { FastifyRequest } from 'fastify';
import type { CreateParams } from '../documents/documents.js';
import type { ContentType } from '../model/model.js';
import { parseReadQuery, parseSelection } from '../query/parse-read-query.js';
import { parseLocale, parseStatus } from '../query/parse-version.js';
import type { ReadQuery } from '../query/query.js';
import { callerOf } from './guard.js';
import { dataOf, queryOf, queryTextOf } from './request-params.js';
import type { ReadParts, RestParts } from './rest-parts.js';

/** What a reading request asks for, checked against the model and the caller's rights. `many`: a page of a list, else one document. */
export function readQueryOf({ model, limits, access }: RestParts, type: ContentType, request: FastifyRequest, many: boolean): ReadQuery {
  return parseReadQuery(model, type.uid, queryOf(request), {
    limits,
    access: access.accessOf(callerOf(request)),
    action: many || type.kind === 'singleType' ? 'find' : 'findOne',
    defaultLocale: access.locales.defaultCode(),
    paginated: many,
  });
}

/** As {@link readQueryOf}, without parsing what the like of this caller has asked before. */
export function recalledQueryOf(parts: ReadParts, type: ContentType, request: FastifyRequest, many: boolean): ReadQuery {
  const { access, queries } = parts;
  const caller = callerOf(request);
  const parse = (): ReadQuery => readQueryOf(parts, type, request, many);
  if (access.accessOf(caller).limitsOf !== undefined) return parse();
  return queries.recall(caller.grants, { uid: type.uid, many, defaultLocale: access.locales.defaultCode(), text: queryTextOf(request) }, parse);
}

/** The locale a request names; the default one otherwise. */
export function localeOf({ access }: RestParts, request: FastifyRequest): string {
  return parseLocale(queryOf(request)['locale'], access.locales.defaultCode());
}

/** What a writing request wants written, and what of it answered. */
export function writeParamsOf({ model, limits, access }: RestParts, type: ContentType, request: FastifyRequest, action: 'create' | 'update'): CreateParams {
  const query = queryOf(request);
  const rights = access.accessOf(callerOf(request));
  return {
    type: type.uid,
    data: dataOf(request),
    locale: parseLocale(query['locale'], access.locales.defaultCode()),
    status: parseStatus(query['status']),
    access: rights,
    selection: parseSelection(model, type.uid, query, { limits, access: rights, action }),
  };
}
