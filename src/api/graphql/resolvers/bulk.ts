import { permissionOf } from '../../../access/permissions/controllers.js';
import { parseBulkItems, requiredAction } from '../../../documents/bulk/parse-items.js';
import type { BulkItem, BulkOutcome } from '../../../documents/documents.js';
import { printError } from '../../../errors/error-envelope.js';
import { isRecord } from '../../../lib/is-record.js';
import { memoize } from '../../../lib/memoize.js';
import type { ContentModel, ContentType } from '../../../model/model.js';
import { sentLocale, sentStatus } from '../../../query/parse/parse-version.js';
import { argumentsOf, planRootSelection, responseAction } from '../selection/plan-read.js';
import { toData } from '../selection/to-data.js';
import { parseRecord } from './root-field.js';
import type { RootCall, RootResolver } from './root-field.js';

const toItem = (model: ContentModel, type: ContentType, item: unknown): unknown =>
  isRecord(item) && item['data'] !== undefined ? { ...item, data: toData(model, type, item['data']) } : item;

const parseItems = (call: RootCall): readonly BulkItem[] => {
  const { type, args, context, info } = call;
  const { model, maxBulk } = context.dependencies;
  const data = Array.isArray(args['data']) ? args['data'] : [];
  return parseBulkItems(
    data.map((item: unknown) => toItem(model, type, item)),
    {
      type: type.uid,
      locale: sentLocale(args['locale']),
      defaultLocale: context.dependencies.access.locales.defaultCode(),
      status: sentStatus(args['status']),
      defaultStatus: 'published',
      access: context.rights,
      selectionOf: memoize((action) =>
        planRootSelection({
          context,
          info,
          type,
          action: responseAction(context, type, action),
          status: 'draft',
          recordsField: 'data',
        }),
      ),
      maxItems: maxBulk,
    },
  );
};

const toResult = (outcome: BulkOutcome, { action, params }: BulkItem): Readonly<Record<string, unknown>> => {
  if ('error' in outcome) {
    const { error } = JSON.parse(printError(outcome.error)) as { readonly error: unknown };
    return { action, documentId: 'documentId' in params ? params.documentId : null, data: null, error };
  }
  const { documentId, record } = outcome;
  return { action, documentId, data: record === null ? null : parseRecord(record), error: null };
};

/** Resolves `bulkArticles` to what became of each item. */
export function resolveBulk(type: ContentType): RootResolver {
  return async (_source, _args, context, info) => {
    const { access, documents } = context.dependencies;
    const project = context.project.calls.get(info.path);
    const args = project?.args ?? argumentsOf(info);
    const items = parseItems({ type, args, context, info });
    if (project?.isAuthorisationSkipped !== true)
      for (const action of new Set(items.map((item) => requiredAction(item.action)))) {
        const permission = permissionOf(type, action);
        access.authorise(context.caller, permission.uid, permission.action);
      }
    const outcomes = await documents.bulk({ items, atomic: args['atomic'] !== false });
    return outcomes.flatMap((outcome, index) => {
      const item = items[index];
      return item === undefined ? [] : [toResult(outcome, item)];
    });
  };
}
