/** The folder archives exports, imports and backs up the content of a project. */
import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { FILE_UID } from '../../model/content-types/builtin-types.js';
import { byCodePoint, countNoun } from '../../lib/text.js';
import { getOrCreate } from '../../lib/collections.js';
import type { ContentModel, Uid } from '../../model/model.js';
import { openLocalSource } from '../../transfer/export/open-local-source.js';
import type { ExportSelection } from '../../transfer/export/open-local-source.js';
import type { LocalProject } from '../../transfer/export/local-database.js';
import { openStrapiForm } from '../../transfer/export/open-strapi-form.js';
import {
  PROGRESS_INTERVAL,
  TarEntries,
  streamArchive,
  writeArchive,
} from '../../transfer/archive/write-archive.js';
import type { ArchiveCounts, Packing } from '../../transfer/archive/write-archive.js';
import type { ContentSource } from '../../transfer/source.js';
import { withoutUsers } from '../../transfer/source.js';
import { createWorkFolder } from '../../transfer/work-folder.js';
import { assertMigrated } from '../open/open-database.js';
import type { Project } from '../open/open-project.js';

/** The formats of archives: Galley's, and that of `strapi export`. */
export const ARCHIVE_FORMS = ['galley', 'strapi'] as const;

/** The selection, format and compression of an export. */
export interface ExportOptions extends ExportSelection, Packing {
  readonly form: (typeof ARCHIVE_FORMS)[number];
  /** False to omit users, with their password hashes. */
  readonly holdsUsers?: boolean;
}

const openSource = async (
  project: Project,
  { form, holdsUsers = true, ...selection }: ExportOptions,
): Promise<ContentSource> => {
  await assertMigrated(project);
  const { config, model, root } = project;
  const local: LocalProject = { root, url: config.database.url, model, uploads: config.upload.directory };
  const source = await (form === 'strapi' ? openStrapiForm(local) : openLocalSource(local, selection));
  return holdsUsers ? source : withoutUsers(source);
};

/**
 * Writes a consistent copy of a project's content to an archive.
 *
 * @throws `project/pending-migrations`, `database/unreachable`, `transfer/cannot-write`
 */
export async function exportContent(
  project: Project,
  path: string,
  options: ExportOptions,
  onProgress?: (detail: string) => void,
): Promise<Readonly<ArchiveCounts>> {
  const source = await openSource(project, options);
  try {
    return await writeArchive(source, path, { ...options, onProgress });
  } finally {
    await source.close();
  }
}

/** The numbers of documents and versions of one content-type in an export. */
interface ExportedType {
  readonly uid: Uid;
  readonly documents: number;
  readonly versions: number;
}

export interface ExportPlan {
  readonly types: readonly ExportedType[];
  /** The media library: its rows, and the stored files with their formats. */
  readonly files: { readonly rows: number; readonly objects: number; readonly bytes: number };
}

const countTypes = async (
  source: ContentSource,
  { typesByUid }: ContentModel,
  onRecord: (count: number) => void,
): Promise<readonly ExportedType[]> => {
  const types = new Map<Uid, { readonly documents: Set<unknown>; versions: number }>();
  let count = 0;
  for await (const { type: name, data } of source.entities()) {
    onRecord((count += 1));
    const uid = typesByUid[name]?.uid;
    if (uid === undefined) continue;
    const counted = getOrCreate(types, uid, () => ({ documents: new Set(), versions: 0 }));
    counted.documents.add(data['documentId']);
    counted.versions += 1;
  }
  return [...types]
    .map(([uid, { documents, versions }]) => ({ uid, documents: documents.size, versions }))
    .toSorted((left, right) => byCodePoint(left.uid, right.uid));
};

/**
 * Reads and counts the content of an export. Writes nothing.
 *
 * @throws `project/pending-migrations`, `database/unreachable`
 */
export async function planExport(
  project: Project,
  options: ExportOptions,
  onProgress: (detail: string) => void,
): Promise<ExportPlan> {
  const { form, parts, signal } = options;
  const source = await openSource(project, options);
  try {
    const hasEntities = form === 'galley' || parts.has('content');
    const onRecord = (count: number): void => {
      signal?.throwIfAborted();
      if (count % PROGRESS_INTERVAL === 0) onProgress(countNoun(count, 'record'));
    };
    const types = hasEntities ? await countTypes(source, project.model, onRecord) : [];
    const rows = types.find(({ uid }) => uid === FILE_UID)?.versions ?? 0;
    const files = { rows, objects: 0, bytes: 0 };
    if (parts.has('files'))
      for await (const { size } of source.assets()) {
        signal?.throwIfAborted();
        files.objects += 1;
        files.bytes += size;
      }
    return { types, files };
  } finally {
    await source.close();
  }
}

/**
 * Returns the archive as a stream, which can be sent while it is created. The reader of the stream receives
 * errors. Destroying the stream ends the export.
 *
 * @example
 *   const archive = await streamExport(project, {
 *     form: 'galley',
 *     parts,
 *     types: null,
 *     isCompressed: true,
 *     key: null,
 *   });
 *   await pipeline(archive, response);
 *
 * @throws `project/pending-migrations`, `database/unreachable`
 */
export async function streamExport(project: Project, options: ExportOptions): Promise<Readable> {
  const source = await openSource(project, options);
  const folder = await createWorkFolder(project.root);
  const counts = { entities: 0, links: 0, assets: 0 };
  const archive = streamArchive(source, options, { tar: new TarEntries(folder.path), counts });
  const close = async (): Promise<void> => {
    await source.close();
    await folder.remove();
  };
  finished(archive)
    .then(close, close)
    .catch(() => undefined);
  return archive;
}
