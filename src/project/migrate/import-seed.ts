import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { applyPlan } from '../../transfer/files/apply-plan.js';
import { mediaFolder, readFolder } from '../../transfer/files/read-folder.js';
import { planMediaPush } from '../../transfer/files/push-media.js';
import { planPush } from '../../transfer/files/plan.js';
import type { Plan } from '../../transfer/files/plan.js';
import type { Database } from '../../database/database.js';
import { readServerState, writeServerState } from '../../database/server-state.js';
import { createError } from '../../errors/catalogue.js';
import { isGalleyError } from '../../errors/galley-error.js';
import { isRecord } from '../../lib/records.js';
import type { ContentModel, ContentType } from '../../model/model.js';
import { PERMISSIONS_FILE, addAccessFiles, grantPermissions } from '../access-files.js';
import { readMediaStores } from '../open/content-stores.js';
import type { OpenProject } from '../open/open-database.js';
import { loadText } from '../write-text.js';

/** The folder of content files, and of a file with the permissions of roles. */
const SEED_FOLDER = 'seed';

const STATE_KEY = 'seed';

/** The parts of the first content that a database has received. */
interface Imports {
  readonly done: boolean;
  readonly access: boolean;
}

const readImports = async (database: Database): Promise<Imports> => {
  const text = await database.transact((tx) => readServerState(tx, STATE_KEY));
  const state: unknown = JSON.parse(text ?? '{}');
  const { done, access } = isRecord(state) ? state : {};
  return { done: done === true, access: access === true };
};

const recordImports = async (
  { database, log }: OpenProject,
  imports: Imports,
  documents: number | null,
): Promise<void> => {
  await database.transact(async (tx) => {
    await writeServerState(tx, STATE_KEY, JSON.stringify(imports));
    if (documents !== null) await log.record(tx, [{ action: 'seed', details: { documents } }]);
  });
};

/** Returns the types with files in the seed. Rejects other folders and files. */
const seededTypes = async (root: string, model: ContentModel): Promise<readonly ContentType[]> => {
  const types = new Map(
    model.types.filter(({ origin }) => origin === 'project').map((type) => [type.singularName, type]),
  );
  const found: ContentType[] = [];
  for (const entry of await readdir(root, { withFileTypes: true })) {
    const { name } = entry;
    const isKnown = entry.isDirectory() ? name === mediaFolder(model) : name === PERMISSIONS_FILE;
    const type = entry.isDirectory() ? types.get(name) : undefined;
    if (type !== undefined) found.push(type);
    else if (!isKnown && !name.startsWith('.'))
      throw createError('project/seed-import-failed', {
        file: `${SEED_FOLDER}/${name}`,
        reason: entry.isDirectory()
          ? `there is no content-type ${name}`
          : `it is neither ${PERMISSIONS_FILE} nor a content file as written by cms content pull`,
      });
  }
  return found;
};

const countDocuments = ({ units }: Plan): number =>
  new Set(units.filter(({ writes }) => writes.length > 0).map(({ file }) => file.documentId)).size;

const pushSeed = async (opened: OpenProject, root: string): Promise<number> => {
  const { content, media } = await readMediaStores(opened);
  const { model } = content;
  const types = await seededTypes(root, model);
  const files = await readFolder(root, types);
  const plan = await planPush(content, types, files, {
    media: await planMediaPush(media, model, root),
  });
  await applyPlan(content, plan, {
    media,
    model,
    root,
    deletes: false,
    isAtomic: false,
    isDryRun: false,
    onDone: () => undefined,
  });
  return countDocuments(plan);
};

const pushSeedFolder = async (opened: OpenProject, root: string): Promise<number> => {
  try {
    const count = await pushSeed(opened, root);
    const text = await loadText(join(root, PERMISSIONS_FILE));
    if (text !== null) await grantPermissions(opened, { text, file: `${SEED_FOLDER}/${PERMISSIONS_FILE}` });
    return count;
  } catch (error) {
    if (!isGalleyError(error) || error.code === 'project/seed-import-failed') throw error;
    throw createError(
      'project/seed-import-failed',
      { file: SEED_FOLDER, reason: error.message },
      { cause: error },
    );
  }
};

/**
 * Adds the locales and permissions in the project's files to a development database, and pushes the content
 * files of the project's seed folder, each once per database. An interrupted import continues at the next
 * call. Returns the number of documents written by this call.
 *
 * @throws `project/seed-import-failed`, and the errors of `loadAccessFiles`
 */
export async function importSeed(opened: OpenProject): Promise<number> {
  const { root } = opened.project;
  // An imported seed may contain content-types that were removed later.
  const { done, access } = await readImports(opened.database);
  if (!access && !done) await addAccessFiles(opened);
  const seed = join(root, SEED_FOLDER);
  const isDue = !done && existsSync(seed);
  const documents = isDue ? await pushSeedFolder(opened, seed) : null;
  if (isDue || !access) await recordImports(opened, { done: done || isDue, access: true }, documents);
  return documents ?? 0;
}
