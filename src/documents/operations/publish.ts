import type { DocumentContext } from '../document-context.js';
import type { RecordText, VersionParams } from '../documents.js';
import { NO_INPUT, writeLocale } from '../write-locale.js';
import { runDraftAction } from './run-draft-action.js';

/** Publishes one locale's draft as it is. Returns null if there is no such draft. */
export async function publish(
  context: DocumentContext,
  params: VersionParams,
): Promise<{ readonly record: RecordText } | null> {
  return runDraftAction(context, params, {
    action: 'publish',
    status: 'published',
    writtenStatuses: ['draft', 'published'],
    write: (tx, draft) => writeLocale(context, { tx, ...draft, publish: true, input: NO_INPUT }),
  });
}
