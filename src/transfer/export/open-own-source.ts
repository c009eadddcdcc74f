import { FILE_UID } from '../../model/content-types/builtin/registry.js';
import type { ContentType } from '../../model/model.js';
import type { ImportPart } from '../import/import-options.js';
import type { ConfigurationRecord, ContentSource, EntityRecord, LinkRecord } from '../source.js';
import { describeSchemaFiles } from './describe-schemas.js';
import {
  openOwnDatabase,
  readAssets,
  readConfiguration,
  readLocales,
  readOwnTokens,
} from './own-database.js';
import type { OwnDatabase, OwnProject } from './own-database.js';
import { readEditorial } from './read-editorial.js';
import { readDocuments } from './read-documents.js';
import { withoutCodes, withoutSecrets } from './without-secrets.js';

/** The parts of a project to export. */
export interface ExportSelection {
  readonly parts: ReadonlySet<ImportPart>;
  /** The uids of the content-types whose documents are exported. Null: all. */
  readonly types: ReadonlySet<string> | null;
  /** True if secrets in settings and the hashes of API tokens are part of it, as in a backup. */
  readonly isPrivate?: boolean;
}

type IsSelected = (type: Pick<ContentType, 'uid'>) => boolean;

async function* none(): AsyncGenerator<never> {}

async function* readEntities(
  own: OwnDatabase,
  isSelected: IsSelected,
  { parts, isPrivate = false }: ExportSelection,
): AsyncGenerator<EntityRecord> {
  if (parts.has('content')) yield* readLocales(own);
  if (isSelected({ uid: FILE_UID })) yield* own.folders.entities();
  for (const type of own.model.types.filter(isSelected))
    for await (const record of readDocuments(own.database, type))
      yield isPrivate ? record : withoutCodes(record);
}

/** The links of folders, which are no documents: those between them, and those of the files in them. */
async function* readFolderLinks(own: OwnDatabase, isSelected: IsSelected): AsyncGenerator<LinkRecord> {
  yield* own.folders.links();
  for (const type of own.model.types)
    if (type.uid === FILE_UID && isSelected(type))
      for await (const record of readDocuments(own.database, type)) yield* own.folders.linksOf(record);
}

async function* readSettings(own: OwnDatabase, isPrivate: boolean): AsyncGenerator<ConfigurationRecord> {
  for await (const record of readConfiguration(own)) yield isPrivate ? record : withoutSecrets(record);
}

/** Opens a project's content as it is stored, in the state that it has now. Secrets are left out. */
export async function openOwnSource(project: OwnProject, selection: ExportSelection): Promise<ContentSource> {
  const { parts, types, isPrivate = false } = selection;
  const own = await openOwnDatabase(project);
  const isSelected: IsSelected = ({ uid }) =>
    parts.has(uid === FILE_UID ? 'files' : 'content') && (types === null || types.has(uid));
  const hasSettings = parts.has('config') && types === null;
  const hasFiles = isSelected({ uid: FILE_UID });
  return {
    description: own.database.description,
    product: 'Galley',
    version: null,
    fingerprint: '',
    schemas: () => describeSchemaFiles(project.model, project.root),
    entities: () => readEntities(own, isSelected, selection),
    links: () => (hasFiles ? readFolderLinks(own, isSelected) : none()),
    editorial: () => readEditorial(own, isSelected),
    configuration: () => (hasSettings ? readSettings(own, isPrivate) : none()),
    assets: () => (hasFiles ? readAssets(own, project.uploads) : none()),
    apiTokens: () => (hasSettings && isPrivate ? readOwnTokens(own) : none()),
    close: own.close,
  };
}
