import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createError } from '../../../errors/catalogue.js';
import { isRecord } from '../../../lib/is-record.js';
import type { JsonValue } from '../../../lib/stored-value.js';
import type {
  AssetRecord,
  ConfigurationRecord,
  EntityRecord,
  LinkRecord,
  SchemaRecord,
  StrapiSource,
} from '../source.js';
import { filesOf, readRecords } from './read-lines.js';
import type { ExportFolder } from './read-lines.js';

const UPLOADS = 'assets/uploads';
const SIDECARS = 'assets/metadata';
const PARTS = ['schemas', 'entities', 'links', 'configuration', UPLOADS];

const isSchema = (value: object): value is SchemaRecord =>
  'uid' in value && typeof value.uid === 'string' && 'attributes' in value && isRecord(value.attributes);

const isEntity = (value: object): value is EntityRecord =>
  'type' in value &&
  typeof value.type === 'string' &&
  'id' in value &&
  typeof value.id === 'number' &&
  'data' in value &&
  isRecord(value.data);

const isEnd = (value: unknown): boolean =>
  isRecord(value) && typeof value['type'] === 'string' && 'ref' in value;

const isLink = (value: object): value is LinkRecord =>
  'kind' in value && 'left' in value && isEnd(value.left) && 'right' in value && isEnd(value.right);

const isConfiguration = (value: object): value is ConfigurationRecord =>
  'type' in value && 'value' in value && isRecord(value.value);

/** Longer than what Strapi writes about an export or a file. */
const MAX_DESCRIPTION_BYTES = 1024 * 1024;

/** Reads a short file. Null where it is missing, or too long to be what it should. */
const readDescription = async (path: string): Promise<string | null> => {
  try {
    return (await stat(path)).size > MAX_DESCRIPTION_BYTES ? null : await readFile(path, 'utf8');
  } catch {
    return null;
  }
};

interface Metadata {
  readonly text: string;
  readonly version: string;
}

/** The file is written last, so a missing one tells that an export was interrupted. */
const readMetadata = async ({ path, description }: ExportFolder): Promise<Metadata> => {
  const text = await readDescription(join(path, 'metadata.json'));
  if (text === null) {
    const parts = await Promise.all(PARTS.map((part) => filesOf({ path, description }, part)));
    throw parts.some((files) => files.length > 0)
      ? createError('transfer/incomplete-archive', {
          path: description,
          reason: 'metadata.json is missing or too long',
        })
      : createError('transfer/foreign-file', { path: description, reason: 'it has no metadata.json' });
  }
  let value: unknown = null;
  try {
    value = JSON.parse(text);
  } catch {
    throw createError('transfer/incomplete-archive', {
      path: description,
      reason: 'metadata.json is not JSON',
    });
  }
  const strapi = isRecord(value) && isRecord(value['strapi']) ? value['strapi'] : null;
  const version = strapi?.['version'];
  if (typeof version !== 'string')
    throw createError('transfer/foreign-file', {
      path: description,
      reason: 'metadata.json names no version of Strapi',
    });
  return { text, version };
};

const assertSupported = (path: string, version: string): void => {
  if (Number.parseInt(version, 10) !== 5)
    throw createError('transfer/unsupported-version', { path, version });
};

const fingerprintOf = async (folder: ExportFolder, metadata: string): Promise<string> => {
  const hash = createHash('sha256').update(metadata);
  for (const part of PARTS)
    for (const name of await filesOf(folder, part))
      hash.update(`${part}/${name} ${(await stat(join(folder.path, part, name))).size}\n`);
  return hash.digest('hex');
};

const readSidecar = async (folder: ExportFolder, name: string): Promise<AssetRecord['metadata']> => {
  const text = await readDescription(join(folder.path, SIDECARS, `${name}.json`));
  if (text === null) return null;
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? (value as Readonly<Record<string, JsonValue>>) : null;
  } catch {
    return null;
  }
};

async function* readAssets(folder: ExportFolder): AsyncGenerator<AssetRecord> {
  for (const name of await filesOf(folder, UPLOADS)) {
    const path = join(folder.path, UPLOADS, name);
    const { size } = await stat(path);
    yield { name, size, metadata: await readSidecar(folder, name), open: () => createReadStream(path) };
  }
}

async function* none(): AsyncGenerator<never> {}

/**
 * Opens an unpacked export.
 *
 * @throws `transfer/foreign-file`, `transfer/incomplete-archive`, `transfer/unsupported-version`
 */
export async function openExportFolder(
  folder: ExportFolder,
  close: () => Promise<void> = () => Promise.resolve(),
): Promise<StrapiSource> {
  const { text, version } = await readMetadata(folder);
  assertSupported(folder.description, version);
  return Object.freeze<StrapiSource>({
    description: folder.description,
    version,
    fingerprint: await fingerprintOf(folder, text),
    schemas: () => readRecords(folder, 'schemas', isSchema),
    entities: () => readRecords(folder, 'entities', isEntity),
    links: () => readRecords(folder, 'links', isLink),
    configuration: () => readRecords(folder, 'configuration', isConfiguration),
    assets: () => readAssets(folder),
    apiTokens: none,
    close,
  });
}
