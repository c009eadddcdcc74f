import type { Readable } from 'node:stream';
import { toUnavailableError } from '../../database/unavailable-error.js';
import { createError } from '../../errors/catalogue.js';
import { isGalleyError } from '../../errors/galley-error.js';
import type {
  ArchiveImport,
  ArchiveSelection,
  TransferDependencies,
} from '../../api/rest/remote/transfer-plugin.js';
import { EXISTING_POLICIES, IMPORT_PARTS } from '../../transfer/import/import-options.js';
import type { ImportOptions, ImportPart } from '../../transfer/import/import-options.js';
import { withoutUsers } from '../../transfer/without-users.js';
import { streamExport } from './export-content.js';
import { importInto } from './import-content.js';
import type { AppServices } from '../open-services.js';
import { receiveArchive } from './receive-archive.js';

const oneOf = <T extends string>(known: readonly T[], parameter: string, name: string): T => {
  const found = known.find((value) => value === name);
  if (found !== undefined) return found;
  throw createError('request/invalid-parameter', { parameter, reason: `it must be ${known.join(', ')}.` });
};

/** Errors of an import say what is wrong with the archive, which whoever has sent it may know. */
const toPublished = (error: unknown): unknown =>
  isGalleyError(error) && error.kind === 'failure'
    ? createError('transfer/not-accepted', { reason: error.message }, { cause: error })
    : (toUnavailableError(error) ?? error);

/** Creates what gives archives of the content to remote command lines, and takes them. */
export function createTransfers({ opened }: AppServices): TransferDependencies {
  const { project, context } = opened;
  const { enabled, users } = project.config.transfer;
  let isImporting = false;

  const selectionOf = ({ parts, types }: ArchiveSelection): Pick<ImportOptions, 'parts' | 'types'> => {
    const uids = project.model.types.map(({ uid }) => uid);
    return {
      parts: new Set<ImportPart>((parts ?? IMPORT_PARTS).map((part) => oneOf(IMPORT_PARTS, 'parts', part))),
      types: types === null ? null : new Set(types.map((type) => oneOf(uids, 'types', type))),
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
