import { stat } from 'node:fs/promises';
import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import { createError } from '../errors/catalogue.js';
import { isGalleyError } from '../errors/galley-error.js';
import { parseRecordId } from '../lib/ids.js';
import { parseFileInfo } from '../media/file-info.js';
import type { FileInfo } from '../media/media.js';
import type { FileUsage } from '../media/usages.js';
import { FILE_UID } from '../model/content-types/builtin-types.js';
import type { ContentType } from '../model/model.js';
import type { MediaStores } from '../project/open/content-stores.js';
import { resolveAttribute, resolveType } from '../project/scaffold/resolve-name.js';
import type { ContentStore } from '../transfer/store/content-store.js';
import type { LocalFile, MediaFile } from '../transfer/store/media-store.js';
import { resolveReferences } from '../transfer/store/references.js';
import { resolveDocument } from './content/find-document.js';
import { runWrites } from './content/save-document.js';
import type { TableColumn } from './terminal/text-layout.js';

const description = 'Name of the file, or its id, documentId, hash or URL.';

/** The argument of commands about one file. */
export const fileArgument = { file: Args.string({ required: true, description }) };

/** The argument of commands about files. */
export const filesArgument = { files: Args.string({ required: true, multiple: true, description }) };

/** Creates `media/unknown-file`. */
export function unknownFile(name: string): Error {
  return createError('media/unknown-file', { name });
}

const resolveName = async ({ content }: MediaStores, name: string): Promise<string> => {
  const reference = { type: FILE_UID, name, path: 'file' };
  const { documentIdOf } = await resolveReferences(content, [reference]);
  try {
    return documentIdOf(reference);
  } catch (error) {
    if (isGalleyError(error) && error.code === 'content/unknown-reference') throw unknownFile(name);
    throw error;
  }
};

/**
 * Finds a file of the media library by its name, id, documentId, hash or URL.
 *
 * @throws `media/unknown-file`, `content/ambiguous-reference`
 */
export async function findFile(stores: MediaStores, name: string): Promise<MediaFile> {
  const id = parseRecordId(name);
  const filters =
    id === null
      ? { documentId: { $eq: await resolveName(stores, name) } }
      : { $or: [{ id: { $eq: id } }, { name: { $eq: name } }] };
  const found = await stores.media.find({ filters });
  const file = found.find((candidate) => candidate.id === id) ?? found[0];
  if (file === undefined) throw unknownFile(name);
  return file;
}

/** Finds files, without duplicates. */
export async function findFiles(
  stores: MediaStores,
  names: readonly string[],
): Promise<readonly MediaFile[]> {
  const files = new Map<number, MediaFile>();
  for (const name of names) {
    const file = await findFile(stores, name);
    files.set(file.id, file);
  }
  return [...files.values()];
}

/**
 * Asserts that all local files exist, before any is stored.
 *
 * @throws `upload/no-file`, and the file system's error for a missing file
 */
export async function assertLocalFiles(files: readonly LocalFile[]): Promise<void> {
  for (const { path } of files)
    if (!(await stat(path)).isFile()) throw createError('upload/no-file', { path });
}

/** The flags for the metadata of a file. */
export const infoFlags = {
  alt: Flags.string({ description: 'Alternative text, for people who cannot see the image.' }),
  caption: Flags.string({ description: 'Caption.' }),
  'focal-point': Flags.string({
    description: 'Point that crops keep in view: percentages from left and top, such as 50,20.',
  }),
  name: Flags.string({ description: 'Name in the media library. [default: the name of the file]' }),
};

interface InfoFlagValues {
  readonly alt?: string | undefined;
  readonly caption?: string | undefined;
  readonly 'focal-point'?: string | undefined;
  readonly name?: string | undefined;
}

/** Parses a focal point. Empty text removes it. `parseFileInfo` rejects a value that is not a point. */
const parsePoint = (text: string): unknown => {
  if (text === '') return null;
  const [x, y, ...rest] = text
    .split(',')
    .map((part) => (/^\s*\d+(?:\.\d+)?\s*$/.test(part) ? Number(part) : null));
  return rest.length > 0 ? {} : { x, y };
};

/** Returns the metadata of a file from the flags. @throws `upload/invalid-file-info` */
export function fileInfo({ alt, caption, name, 'focal-point': focalPoint }: InfoFlagValues): FileInfo {
  const nullIfEmpty = (text: string): string | null => (text === '' ? null : text);
  return parseFileInfo({
    ...(alt === undefined ? {} : { alternativeText: nullIfEmpty(alt) }),
    ...(caption === undefined ? {} : { caption: nullIfEmpty(caption) }),
    ...(focalPoint === undefined ? {} : { focalPoint: parsePoint(focalPoint) }),
    ...(name === undefined ? {} : { name }),
  });
}

/** The media attribute of a document that files are linked to. */
export interface Link {
  readonly type: ContentType;
  readonly documentId: string;
  readonly attribute: string;
  readonly isMany: boolean;
}

const invalidLink = (reason: string, remedy: string): Error =>
  createError('cli/invalid-usage', { reason, remedy });

/**
 * Parses `article hello-world cover`, or `home-page cover` for a single type.
 *
 * @throws `cli/invalid-usage`, `cli/unknown-name`, `content/unknown-document`
 */
export async function parseLink(store: ContentStore, text: string, count: number): Promise<Link> {
  const words = text.trim().split(/\s+/);
  const [typeName, ...rest] = words;
  const name = rest.pop();
  if (typeName === undefined || name === undefined)
    throw invalidLink(
      `--link ${text} does not name an attribute.`,
      "Write it as type, document and attribute: --link 'article hello-world cover'.",
    );
  const type = resolveType(store.model.types, typeName);
  const attributes = Object.values(type.attributes);
  const attribute = type.attributes[resolveAttribute({ uid: type.uid, attributes }, name)];
  if (attribute?.family !== 'media') {
    const media = attributes.filter(({ family }) => family === 'media').map((other) => other.name);
    const remedy =
      media.length === 0
        ? `${type.uid} has no media attribute.`
        : `Its media attributes are ${media.join(', ')}.`;
    throw invalidLink(`${name} of ${type.uid} is not a media attribute.`, remedy);
  }
  if (!attribute.many && count > 1)
    throw invalidLink(`${name} of ${type.uid} accepts one file.`, 'Add the files one by one.');
  const document = rest.length === 0 ? undefined : rest.join(' ');
  const documentId = await resolveDocument(store, type, document);
  return { type, documentId, attribute: name, isMany: attribute.many };
}

/** Links a file to the attribute that {@link parseLink} returned, after those that are linked already. */
export async function linkFile(
  store: ContentStore,
  { type, documentId, attribute, isMany }: Link,
  { id }: MediaFile,
  { locale, publish }: { readonly locale: string | undefined; readonly publish: boolean },
): Promise<void> {
  const write = {
    action: 'update' as const,
    documentId,
    data: { [attribute]: isMany ? { connect: [id] } : id },
    status: publish ? ('published' as const) : ('draft' as const),
    ...(locale === undefined ? {} : { locale }),
  };
  await runWrites(store, type, [write], false);
}

/** The maximum number of documents that a list names. */
const NAMED = 5;

const printUsage = ({ type, documentId, attribute, by }: FileUsage): string =>
  `${type} ${documentId} ${attribute}${by === 'address' ? ' (in its text)' : ''}`;

/** Prints the usages of a file, each document and attribute once. Empty if there are none. */
export function printUsages(usages: readonly FileUsage[]): readonly string[] {
  const lines = [...new Set(usages.map(printUsage))];
  const rest = lines.length - NAMED;
  return rest > 0 ? [...lines.slice(0, NAMED), `and ${rest} more`] : lines;
}

const KILO = 1000;

/** Prints a size, given in kilobytes: `312 kB`, `1.4 MB`. */
export function printSize(kilobytes: number): string {
  if (kilobytes < KILO) return `${kilobytes < 10 ? kilobytes : Math.round(kilobytes)} kB`;
  return `${(kilobytes / KILO).toFixed(1)} MB`;
}

const printDimensions = ({ width, height }: MediaFile): string =>
  typeof width === 'number' && typeof height === 'number' ? `${width} × ${height}` : '';

const textOrEmpty = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The columns of a list of files. */
export const FILE_COLUMNS: readonly TableColumn<MediaFile>[] = [
  { header: 'ID', value: ({ id }) => id, align: 'right' },
  { header: 'NAME', value: ({ name }) => name },
  { header: 'TYPE', value: ({ mime }) => mime },
  { header: 'SIZE', value: ({ size }) => printSize(size), align: 'right' },
  { header: 'PIXELS', value: printDimensions, optional: true },
  {
    header: 'ALTERNATIVE TEXT',
    value: ({ alternativeText }) => textOrEmpty(alternativeText),
    optional: true,
  },
  { header: 'URL', value: ({ url }) => url, optional: true },
];
