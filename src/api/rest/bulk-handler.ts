import { permissionOf } from '../../access/permissions/actions.js';
import { parseBulkItems, requiredAction } from '../../documents/write/parse-bulk-items.js';
import type { BulkItem, BulkOutcome } from '../../documents/documents.js';
import { printError, statusOf } from '../../errors/error-envelope.js';
import { createError } from '../../errors/catalogue.js';
import { isRecord } from '../../lib/records.js';
import { memoize } from '../../lib/collections.js';
import type { ContentType } from '../../model/model.js';
import { parseSelection } from '../../query/parse/parse-read-query.js';
import { sentLocale, sentStatus } from '../../query/parse/parse-version.js';
import { invalidParameter } from '../../query/read-context.js';
import { sendJson } from './envelope.js';
import { callerOf } from '../http/request-lifecycle.js';
import { queryOf } from './handler.js';
import type { Handler, RestDependencies } from './handler.js';

/** The status of a request with the same write alone. */
const STATUS: Readonly<Record<BulkItem['action'], number>> = {
  create: 201,
  update: 200,
  delete: 204,
  publish: 200,
  unpublish: 200,
  discardDraft: 200,
};

/** Parses a parameter that is true or false. */
export function parseFlag(name: string, raw: unknown, fallback: boolean): boolean {
  if (raw === undefined) return fallback;
  if (raw === 'true' || raw === 'false') return raw === 'true';
  throw invalidParameter(name, 'it must be true or false.');
}

/** Prints the outcome of an item. A failed item has the status and body of a request for this item alone. */
const printOutcome = (outcome: BulkOutcome, item: BulkItem): string => {
  const head = `{"action":"${item.action}"`;
  if ('error' in outcome)
    return `${head},"status":${statusOf(outcome.error)},${printError(outcome.error).slice(1)}`;
  const identity = `"status":${STATUS[item.action]},"documentId":${JSON.stringify(outcome.documentId)}`;
  return `${head},${identity},"data":${outcome.record ?? 'null'}}`;
};

/** Prints the outcome of each item. */
export function printOutcomes(outcomes: readonly BulkOutcome[], items: readonly BulkItem[]): string {
  const failed = outcomes.filter((outcome) => 'error' in outcome).length;
  const printed = items.flatMap((item, index) => {
    const outcome = outcomes[index];
    return outcome === undefined ? [] : [printOutcome(outcome, item)];
  });
  const meta = JSON.stringify({ succeeded: outcomes.length - failed, failed });
  return `{"data":[${printed.join(',')}],"meta":${meta}}`;
}

/** POST /api/articles/bulk */
export function createBulkHandler(dependencies: RestDependencies, type: ContentType): Handler {
  const { access, documents, limits, maxBulk, model } = dependencies;
  return async (request, reply) => {
    const { body } = request;
    if (!isRecord(body)) throw createError('request/invalid-body');
    const query = queryOf(request);
    const caller = callerOf(request);
    const rights = access.readAccessOf(caller);
    const items = parseBulkItems(body['data'], {
      type: type.uid,
      locale: sentLocale(query['locale']),
      defaultLocale: access.locales.defaultCode(),
      status: sentStatus(query['status']),
      defaultStatus: 'published',
      access: rights,
      selectionOf: memoize((action) =>
        parseSelection(model, type.uid, query, { limits, access: rights, action, status: 'draft' }),
      ),
      maxItems: maxBulk,
    });
    for (const action of new Set(items.map((item) => requiredAction(item.action)))) {
      const permission = permissionOf(type, action);
      access.authorise(caller, permission.uid, permission.action);
    }
    const outcomes = await documents.bulk({ items, atomic: parseFlag('atomic', query['atomic'], true) });
    return sendJson(reply, 200, printOutcomes(outcomes, items));
  };
}
