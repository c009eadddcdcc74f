import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type {
  ArchiveImport,
  ArchiveSelection,
  TransferDependencies,
} from '../../api/rest/transfer-plugin.js';
import { toUnavailableError } from '../../database/database-error.js';
import { createError } from '../../errors/catalogue.js';
import { isGalleyError } from '../../errors/galley-error.js';
import { hasErrorCode } from '../../lib/caught-errors.js';
import { openArchive } from '../../transfer/archive/open-archive.js';
import { EXISTING_POLICIES, IMPORT_PARTS, withoutUsers } from '../../transfer/source.js';
import type { ContentSelection, ContentSource, ImportOptions, ImportPart } from '../../transfer/source.js';
import { createWorkFolder } from '../../transfer/work-folder.js';
import type { AppServices } from '../open/open-services.js';
import { streamExport } from './export-content.js';
import { importInto } from './import-content.js';

/** An archive received as a stream. */
interface ReceivedArchive {
  readonly stream: Readable;
  /** For messages: `the archive of https://…`. */
  readonly description: string;
  /** The key of an encrypted archive. */
  readonly key?: string;
}

/**
 * Receives an archive to its end and opens it, for `importContent`. The temporary files are removed when the
 * source is closed.
 *
 * @param root the folder of the target project
 * @throws the errors of `openArchive`, and the stream's error
 */
export async function receiveArchive(
  root: string,
  { stream, description, key }: ReceivedArchive,
): Promise<ContentSource> {
  const folder = await createWorkFolder(root);
  try {
    const path = join(folder.path, 'received');
    await pipeline(stream, createWriteStream(path));
    const source = await openArchive(path, root, () => Promise.resolve(key ?? null), description);
    const close = async (): Promise<void> => {
      await source.close();
      await folder.remove();
    };
    return { ...source, close };
  } catch (error) {
    await folder.remove();
    if (!hasErrorCode(error, 'ENOSPC')) throw error;
    const place = { path: description, needed: 'more', folder: root, free: 'no more' };
    throw createError('transfer/no-space', place, { cause: error });
  }
}

const oneOf = <T extends string>(known: readonly T[], parameter: string, name: string): T => {
  const found = known.find((value) => value === name);
  if (found !== undefined) return found;
  throw createError('request/invalid-parameter', { parameter, reason: `it must be ${known.join(', ')}.` });
};

/** Makes the errors of an import public: they describe the archive, and only its sender receives them. */
const toPublished = (error: unknown): unknown =>
  isGalleyError(error) && error.kind === 'failure'
    ? createError('transfer/not-accepted', { reason: error.message }, { cause: error })
    : (toUnavailableError(error) ?? error);

/** Creates the functions that export and import archives for remote command lines. */
export function createTransfers({ opened }: AppServices): TransferDependencies {
  const { project, context } = opened;
  const { enabled, users } = project.config.transfer;
  let isImporting = false;

  const selectionOf = ({ parts, types, excludedTypes }: ArchiveSelection): ContentSelection => {
    const uids = project.model.types.map(({ uid }) => uid);
    const typesOf = (parameter: string, names: readonly string[]): ReadonlySet<string> =>
      new Set(names.map((name) => oneOf(uids, parameter, name)));
    return {
      parts: new Set<ImportPart>((parts ?? IMPORT_PARTS).map((part) => oneOf(IMPORT_PARTS, 'parts', part))),
      types: types === null ? null : typesOf('types', types),
      ...(excludedTypes === null ? {} : { excludedTypes: typesOf('excludedTypes', excludedTypes) }),
    };
  };

  const importArchive = async (
    stream: Readable,
    { existing, isDryRun, restarts, onProgress, onError, ...selection }: ArchiveImport,
  ): Promise<object> => {
    const options: ImportOptions = {
      ...selectionOf(selection),
      existing: oneOf(EXISTING_POLICIES, 'existing', existing),
    };
    const received = await receiveArchive(project.root, { stream, description: 'the archive' });
    try {
      const source = users ? received : withoutUsers(received);
      return await importInto(project, context, { source, options, restarts, onError }, async (planned) => {
        if (!isDryRun) await planned.run(onProgress);
        return planned.plan;
      });
    } finally {
      await received.close();
    }
  };

  return {
    isEnabled: enabled,
    exportArchive: (selection) =>
      streamExport(project, {
        form: 'galley',
        isCompressed: true,
        key: null,
        holdsUsers: users,
        ...selectionOf(selection),
      }),
    importArchive: async (stream, request) => {
      if (isImporting) throw createError('transfer/running');
      isImporting = true;
      try {
        return await importArchive(stream, request);
      } catch (error) {
        throw toPublished(error);
      } finally {
        isImporting = false;
      }
    },
  };
}
