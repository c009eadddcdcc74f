import type { ContentStore, ContentWrite } from '../../transfer/store/content-store.js';
import { resolveWithIssues } from '../../transfer/store/resolve-data.js';
import { isGalleyError } from '../../errors/galley-error.js';
import type { ValidationIssue } from '../../errors/galley-error.js';
import type { ContentType } from '../../model/model.js';
import { invalidValues } from '../../documents/validation/issues.js';
import { runWrites } from './run-write.js';
import type { WrittenDocument } from './run-write.js';

type Data = Readonly<Record<string, unknown>>;

interface TypedWrite {
  readonly write: Omit<ContentWrite, 'data'>;
  /** Values as they were typed, in which documents are named. */
  readonly data: Data;
  /** Adds to the data, once documents are named by documentId. */
  readonly complete?: (data: Data) => Data;
  readonly isDryRun: boolean;
}

/** Tries a write, and returns what is wrong with its values. */
const findIssues = async (
  store: ContentStore,
  type: ContentType,
  write: ContentWrite,
): Promise<readonly ValidationIssue[]> => {
  try {
    await runWrites(store, type, [write], true);
    return [];
  } catch (error) {
    if (!isGalleyError(error)) throw error;
    return error.details.errors ?? [];
  }
};

/**
 * Writes values that somebody typed.
 *
 * @throws `request/invalid-values` with everything that is wrong with names and values, and the errors of the
 *   write
 */
export async function writeTyped(
  store: ContentStore,
  type: ContentType,
  { write: head, data: typed, complete = (data) => data, isDryRun }: TypedWrite,
): Promise<WrittenDocument | undefined> {
  const { data, issues } = await resolveWithIssues(store, type, typed);
  const write = { ...head, data: complete(data) };
  if (issues.length === 0) {
    const [written] = await runWrites(store, type, [write], isDryRun);
    return written;
  }
  const wrong = new Set(issues.map(({ path }) => path[0]));
  const others = await findIssues(store, type, write);
  throw invalidValues([...issues, ...others.filter(({ path }) => !wrong.has(path[0]))]);
}
