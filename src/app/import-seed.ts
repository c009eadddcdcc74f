import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setPermissions } from '../access/permissions/set-permissions.js';
import type { Database } from '../database/database.js';
import type { DocumentService } from '../documents/documents.js';
import { createError } from '../errors/catalogue.js';
import { isGalleyError } from '../errors/galley-error.js';
import { byCodePoint } from '../lib/compare.js';
import { isRecord } from '../lib/is-record.js';
import type { ContentModel, ContentType, Uid } from '../model/model.js';
import { defaultSelection } from '../query/default-selection.js';

export interface SeedDependencies {
  readonly root: string;
  readonly model: ContentModel;
  readonly database: Database;
  readonly documents: DocumentService;
}

interface SeedDocument {
  readonly file: string;
  /** The key by which other documents of the seed refer to this one: `{"$seed": "ada"}`. */
  readonly key: string;
  readonly type: ContentType;
  readonly data: Readonly<Record<string, unknown>>;
  readonly status: 'draft' | 'published' | undefined;
  readonly locale: string | undefined;
}

/** Permissions that the seed gives to a role: actions on one type or controller. */
interface SeedGrant {
  readonly file: string;
  readonly role: string;
  readonly uid: Uid;
  readonly actions: readonly string[];
}

interface Seed {
  readonly documents: readonly SeedDocument[];
  readonly grants: readonly SeedGrant[];
}

/** The ids of the imported documents, by their key in the seed. */
type ImportedIds = Map<string, string>;

const SEED_FOLDER = 'seed';
const STATE_KEY = 'seed';

const seedError = (file: string, reason: string) =>
  createError('project/seed-import-failed', { file, reason });

const findType = (model: ContentModel, name: unknown, file: string): ContentType => {
  const type = model.types.find(
    ({ uid, origin, singularName }) => uid === name || (origin === 'project' && singularName === name),
  );
  if (type === undefined) throw seedError(file, `there is no content-type ${String(name)}`);
  return type;
};

const parseDocument = (model: ContentModel, file: string, value: unknown): SeedDocument => {
  if (!isRecord(value) || typeof value['key'] !== 'string' || !isRecord(value['data']))
    throw seedError(file, 'every document needs a key, a type and data');
  const { key, data, status, locale } = value;
  if (status !== undefined && status !== 'draft' && status !== 'published')
    throw seedError(file, `the status of ${key} must be draft or published`);
  if (locale !== undefined && typeof locale !== 'string')
    throw seedError(file, `the locale of ${key} must be a code`);
  return { file, key, type: findType(model, value['type'], file), data, status, locale };
};

const isTextList = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');

const parseGrants = (model: ContentModel, file: string, permissions: unknown): readonly SeedGrant[] => {
  if (permissions === undefined) return [];
  if (!isRecord(permissions)) throw seedError(file, 'permissions must be an object, by role');
  return Object.entries(permissions).flatMap(([role, lists]) => {
    if (!isRecord(lists))
      throw seedError(file, `the permissions of ${role} must be an object, by content-type`);
    return Object.entries(lists).map(([name, actions]): SeedGrant => {
      if (!isTextList(actions))
        throw seedError(file, `the permissions of ${role} on ${name} must be a list of actions`);
      return {
        file,
        role,
        uid: name.startsWith('plugin::') ? name : findType(model, name, file).uid,
        actions,
      };
    });
  });
};

const loadFile = async (model: ContentModel, root: string, name: string): Promise<Seed> => {
  const file = `${SEED_FOLDER}/${name}`;
  let content: unknown;
  try {
    content = JSON.parse(await readFile(join(root, file), 'utf8'));
  } catch (error) {
    throw seedError(file, error instanceof Error ? error.message : String(error));
  }
  const documents = isRecord(content) ? content['documents'] : undefined;
  if (!Array.isArray(documents)) throw seedError(file, 'it must hold a list called documents');
  return {
    documents: documents.map((document) => parseDocument(model, file, document)),
    grants: parseGrants(model, file, isRecord(content) ? content['permissions'] : undefined),
  };
};

const loadSeed = async ({ root, model }: SeedDependencies): Promise<Seed> => {
  const names = await readdir(join(root, SEED_FOLDER)).catch((): readonly string[] => []);
  const files = names.filter((name) => name.endsWith('.json')).toSorted(byCodePoint);
  const seeds = await Promise.all(files.map((name) => loadFile(model, root, name)));
  return {
    documents: seeds.flatMap(({ documents }) => documents),
    grants: seeds.flatMap(({ grants }) => grants),
  };
};

/** Replaces references to documents of the seed by document ids. */
const resolveReferences = (value: unknown, imported: ImportedIds, file: string): unknown => {
  if (Array.isArray(value)) return value.map((item) => resolveReferences(item, imported, file));
  if (!isRecord(value)) return value;
  const reference = value['$seed'];
  if (typeof reference !== 'string')
    return Object.fromEntries(
      Object.entries(value).map(([key, child]) => [key, resolveReferences(child, imported, file)]),
    );
  const documentId = imported.get(reference);
  if (documentId === undefined) throw seedError(file, `${reference} is no document before this one`);
  return documentId;
};

const loadProgress = async (
  database: Database,
): Promise<{ readonly done: boolean; readonly imported: ImportedIds }> => {
  const row = await database.transact((tx) =>
    tx.model('SystemState').findUnique({ where: { key: STATE_KEY } }),
  );
  const state: unknown = typeof row?.['value'] === 'string' ? JSON.parse(row['value']) : {};
  const ids = isRecord(state) && isRecord(state['imported']) ? Object.entries(state['imported']) : [];
  return {
    done: isRecord(state) && state['done'] === true,
    imported: new Map(ids.map(([key, id]) => [key, String(id)])),
  };
};

const saveProgress = async (database: Database, imported: ImportedIds, done: boolean): Promise<void> => {
  const value = JSON.stringify({ done, imported: Object.fromEntries(imported) });
  await database.transact((tx) =>
    tx
      .model('SystemState')
      .upsert({ where: { key: STATE_KEY }, create: { key: STATE_KEY, value }, update: { value } }),
  );
};

const importDocument = async (
  { model, documents }: SeedDependencies,
  document: SeedDocument,
  imported: ImportedIds,
): Promise<string> => {
  const { type, status, locale, file } = document;
  const params = {
    type: type.uid,
    data: resolveReferences(document.data, imported, file),
    status,
    locale,
    selection: defaultSelection(model, type.uid),
  };
  const existing = type.kind === 'singleType' ? await documents.singleDocumentId(type.uid) : null;
  if (existing === null) return (await documents.create(params)).documentId;
  await documents.update({ ...params, documentId: existing });
  return existing;
};

/**
 * Imports the documents of the project's seed folder and grants the permissions in it, once per database. An
 * interrupted import continues at the next call. Returns the number of documents imported by this call.
 *
 * @throws `project/seed-import-failed`, also for a document that the document service rejects
 */
export async function importSeed(dependencies: SeedDependencies): Promise<number> {
  const { done, imported } = await loadProgress(dependencies.database);
  // An imported seed may name content-types that have been removed since.
  if (done) return 0;
  const { documents, grants } = await loadSeed(dependencies);
  if (documents.length === 0 && grants.length === 0) return 0;
  const missing = documents.filter(({ key }) => !imported.has(key));
  for (const document of missing) {
    const documentId = await importDocument(dependencies, document, imported).catch((error: unknown) => {
      throw isGalleyError(error) ? seedError(document.file, `${document.key}: ${error.message}`) : error;
    });
    imported.set(document.key, documentId);
    await saveProgress(dependencies.database, imported, false);
  }
  for (const { role, uid, actions } of grants)
    await setPermissions(
      { database: dependencies.database, model: dependencies.model, salt: null },
      { role, uid, actions },
    );
  await saveProgress(dependencies.database, imported, true);
  return missing.length;
}
