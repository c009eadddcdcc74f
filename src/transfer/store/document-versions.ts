import type { DocumentHistory } from '../../documents/versions/document-history.js';
import type { ContentDocument, ContentVersions, RunTransaction } from './content-store.js';

/** Whoever has the database may see everything. */
const EVERYTHING = { access: { canFind: () => true } };

/** The published versions of documents in the project's own database. */
export function documentVersions(
  history: DocumentHistory,
  transact: RunTransaction,
  parseDocument: (text: string) => ContentDocument,
): ContentVersions {
  return {
    list: (name) => history.list({ ...name, ...EVERYTHING }),
    find: (name, version) => history.find({ ...name, ...EVERYTHING }, version),
    restore: async (name, version, { isDryRun = false }) => {
      const restore = () => history.restore({ ...name, ...EVERYTHING }, version);
      const restored = await (isDryRun ? transact(restore, { isDryRun }) : restore());
      return restored && { document: parseDocument(restored.record), omitted: restored.omitted };
    },
  };
}
