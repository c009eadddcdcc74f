import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { SCHEDULED_ACTIONS } from '../../documents/schedules/schedule-store.js';
import { createError } from '../../errors/catalogue.js';
import { byCodePoint, shellWord } from '../../lib/text.js';
import { isRecord } from '../../lib/records.js';
import type { JsonValue } from '../../lib/stored-value.js';
import type {
  ApiTokenRecord,
  AssetRecord,
  ConfigurationRecord,
  ContentSource,
  EditorialRecord,
  EntityRecord,
  LinkRecord,
  SchemaRecord,
} from '../source.js';
import { hasManifest, verifyFolder } from './manifest.js';

/** A folder that contains an export. */
export interface ExportFolder {
  /** For messages. */
  readonly description: string;
  readonly path: string;
}

/** Returns the sorted names of the files in a part of an export. Empty if the part is missing. */
async function filesOf({ path }: ExportFolder, part: string): Promise<readonly string[]> {
  const entries = await readdir(join(path, part), { withFileTypes: true }).catch(() => []);
  const names = entries.filter((entry) => entry.isFile()).map((entry) => entry.name);
  return names.toSorted(byCodePoint);
}

/** Maximum length of a line, above that of any record that can be stored. Lines are held in memory. */
const MAX_LINE_MEGABYTES = 64;
const MAX_LINE_BYTES = MAX_LINE_MEGABYTES * 1024 * 1024;

/** Maximum nesting depth of values. SQLite reads no JSON that is nested deeper than 1,000 levels. */
const MAX_DEPTH = 500;

const LINE_FEED = 0x0a;

/**
 * Reads the lines of a file. Only line feeds end a line: JSON may contain other line separators, at which
 * node:readline would split. Yields null and ends if a line is too long.
 */
async function* readLines(path: string): AsyncGenerator<string | null> {
  let parts: Buffer[] = [];
  let length = 0;
  const input: AsyncIterable<Buffer> = createReadStream(path);
  for await (const chunk of input) {
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, start)) {
      yield Buffer.concat([...parts, chunk.subarray(start, end)]).toString('utf8');
      parts = [];
      length = 0;
      start = end + 1;
    }
    parts.push(chunk.subarray(start));
    length += chunk.length - start;
    if (length > MAX_LINE_BYTES) return yield null;
  }
  yield Buffer.concat(parts).toString('utf8');
}

const isDeeperThan = (levels: number, value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((item) => isDeeperThan(levels - 1, item)));

const parseLine = <T>(
  folder: ExportFolder,
  file: string,
  {
    line,
    text,
    isRecordOf,
  }: { line: number; text: string | null; isRecordOf: (value: object) => value is T & object },
): T => {
  const fail = (reason: string) =>
    createError('transfer/invalid-record', { path: folder.description, file, line, reason });
  if (text === null) throw fail(`the line is longer than ${MAX_LINE_MEGABYTES} MB`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw fail('the line is not JSON');
  }
  // Each level takes two characters.
  if (text.length > MAX_DEPTH * 2 && isDeeperThan(MAX_DEPTH, value))
    throw fail('its values are nested too deeply');
  if (isRecord(value) && isRecordOf(value)) return value;
  throw fail('the record lacks required members');
};

/**
 * Reads the records of a part, one line each.
 *
 * @throws `transfer/invalid-record`
 */
async function* readRecords<T>(
  folder: ExportFolder,
  part: string,
  isRecordOf: (value: object) => value is T & object,
): AsyncGenerator<T> {
  for (const name of await filesOf(folder, part)) {
    if (!name.endsWith('.jsonl')) continue;
    const file = `${part}/${name}`;
    let line = 0;
    for await (const text of readLines(join(folder.path, file))) {
      line += 1;
      if (text?.trim() !== '') yield parseLine(folder, file, { line, text, isRecordOf });
    }
  }
}

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

const isDocumentLink = (value: unknown): boolean =>
  isRecord(value) &&
  typeof value['type'] === 'string' &&
  typeof value['documentId'] === 'string' &&
  typeof value['position'] === 'number';

/** True if a value is an entity, with valid links if it includes any, as Galley writes them. */
const isDocument = (value: object): value is EntityRecord =>
  isEntity(value) &&
  (value.links === undefined ||
    (isRecord(value.links) &&
      Object.values(value.links).every((links) => Array.isArray(links) && links.every(isDocumentLink))));

const isToken = (value: object): value is ApiTokenRecord =>
  'accessKey' in value && typeof value.accessKey === 'string' && 'name' in value;

const isLink = (value: object): value is LinkRecord =>
  'kind' in value && 'left' in value && isEnd(value.left) && 'right' in value && isEnd(value.right);

const isEditorial = (value: object): value is EditorialRecord => {
  const { kind, type, documentId, locale, ...record } = value as Readonly<Record<string, unknown>>;
  if (![type, documentId, locale].every((name) => typeof name === 'string')) return false;
  if (kind === 'version')
    return (
      Number.isSafeInteger(record['number']) &&
      Number.isSafeInteger(record['publishedAt']) &&
      typeof record['content'] === 'string'
    );
  if (!SCHEDULED_ACTIONS.some((action) => action === record['action'])) return false;
  if (kind === 'release')
    return (
      typeof record['name'] === 'string' && (record['at'] === null || Number.isSafeInteger(record['at']))
    );
  return (
    kind === 'schedule' &&
    Number.isSafeInteger(record['at']) &&
    (record['error'] === null || typeof record['error'] === 'string')
  );
};

const isConfiguration = (value: object): value is ConfigurationRecord =>
  'type' in value && 'value' in value && isRecord(value.value);

/** Above the length of any metadata of an export or a file. */
const MAX_DESCRIPTION_BYTES = 1024 * 1024;

/** Reads a metadata file. Null: it is missing or too long. */
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

/** Reads metadata.json. Strapi writes it last, so an export without it was interrupted. */
const readMetadata = async ({ path, description }: ExportFolder): Promise<Metadata> => {
  const text = await readDescription(join(path, 'metadata.json'));
  if (text === null) {
    const parts = await Promise.all(PARTS.map((part) => filesOf({ path, description }, part)));
    throw parts.some((files) => files.length > 0)
      ? createError('transfer/incomplete-archive', {
          path: description,
          reason: 'metadata.json is missing or too long',
        })
      : createError('transfer/unknown-file', { path: description, reason: 'it has no metadata.json' });
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
    throw createError('transfer/unknown-file', {
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

type Origin = Pick<ContentSource, 'product' | 'version' | 'fingerprint'>;

const readStrapiOrigin = async (folder: ExportFolder): Promise<Origin> => {
  const { text, version } = await readMetadata(folder);
  assertSupported(folder.description, version);
  return { product: 'Strapi', version, fingerprint: await fingerprintOf(folder, text) };
};

/** Verifies every byte of a Galley archive before any of it is read. */
const readGalleyOrigin = async ({ path, description }: ExportFolder): Promise<Origin> => {
  const { kind, sha256 } = await verifyFolder(path, description);
  if (kind !== 'content')
    throw createError('transfer/is-backup', { path: description, word: shellWord(description) });
  return { product: 'Galley', version: null, fingerprint: sha256 };
};

/**
 * Opens an unpacked export.
 *
 * @throws `transfer/unknown-file`, `transfer/incomplete-archive`, `transfer/unsupported-version`,
 *   `transfer/unsupported-format`, `transfer/is-backup`
 */
export async function openExportFolder(
  folder: ExportFolder,
  close: () => Promise<void> = () => Promise.resolve(),
): Promise<ContentSource> {
  const isGalley = await hasManifest(folder.path);
  const origin = await (isGalley ? readGalleyOrigin(folder) : readStrapiOrigin(folder));
  return Object.freeze<ContentSource>({
    description: folder.description,
    ...origin,
    schemas: () => readRecords(folder, 'schemas', isSchema),
    entities: () => readRecords(folder, 'entities', isGalley ? isDocument : isEntity),
    links: () => readRecords(folder, 'links', isLink),
    editorial: () => (isGalley ? readRecords(folder, 'editorial', isEditorial) : none()),
    configuration: () => readRecords(folder, 'configuration', isConfiguration),
    assets: () => readAssets(folder),
    apiTokens: () => (isGalley ? readRecords(folder, 'tokens', isToken) : none()),
    close,
  });
}
