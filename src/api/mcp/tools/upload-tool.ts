import { createReadStream } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { get as getHttp } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { get as getHttps } from 'node:https';
import { lookup } from 'node:dns';
import type { LookupAddress } from 'node:dns';
import { BlockList, isIP } from 'node:net';
import type { LookupFunction } from 'node:net';
import { basename, isAbsolute, relative, resolve, sep } from 'node:path';
import { Transform } from 'node:stream';
import type { Readable } from 'node:stream';
import { UPLOAD_CONTROLLER } from '../../../access/permissions/actions.js';
import { isGranted } from '../../../access/permissions/authorise.js';
import { createError } from '../../../errors/catalogue.js';
import { parseSentFileInfo, extensionOf } from '../../../media/file-info.js';
import { readFile } from '../../../media/file-records.js';
import { FILE_UID } from '../../../model/content-types/builtin-types.js';
import { defaultSelection } from '../../../query/parse/server-queries.js';
import type { GalleyError } from '../../../errors/galley-error.js';
import { messageOf } from '../../../lib/caught-errors.js';
import { typeOfExtension } from '../../../media/mime-types.js';
import type { McpCall } from '../mcp-services.js';
import { DRY_RUN_ARGUMENT, invalidArgument, textArgument } from './tool.js';
import type { Arguments, Tool, ToolResult } from './tool.js';

/** A file that a client names, open for reading. */
interface OpenUpload {
  readonly name: string;
  /** The content type that the source claims. */
  readonly type: string | undefined;
  readonly content: Readable;
  readonly isTruncated: () => boolean;
}

const rejected = (source: string, reason: string, remedy: string): GalleyError =>
  createError('mcp/upload-rejected', { source: source.slice(0, 200), reason, remedy });

/** Types of files that a client may name by path. Others may hold secrets: databases, keys, configuration. */
const PATH_TYPES = /^(?:image|video|audio|font)\/|^application\/pdf$|^text\/(?:plain|csv)$/;

/**
 * Opens a file of a folder. Content of a project may contain instructions, so only media and documents are
 * read, and nothing outside of the folder or in hidden folders.
 *
 * @throws `mcp/upload-rejected`
 */
export async function openFolderFile(folder: string, path: string, sizeLimit: number): Promise<OpenUpload> {
  const remedy = 'Name an image, video, audio, PDF or text file inside of the project.';
  const root = await realpath(folder);
  const file = await realpath(resolve(root, path)).catch(() => null);
  if (file === null) throw rejected(path, 'there is no such file', remedy);
  const inside = relative(root, file);
  const segments = inside.split(sep);
  if (isAbsolute(inside) || segments[0] === '..')
    throw rejected(path, 'it is outside of the project', remedy);
  if (segments.some((segment) => segment.startsWith('.') || segment === 'node_modules'))
    throw rejected(path, 'it is in a hidden folder', remedy);
  const type = typeOfExtension(extensionOf(file));
  if (type === null || !PATH_TYPES.test(type))
    throw rejected(path, 'files of this type cannot be uploaded by path', remedy);
  const { size } = await stat(file);
  return {
    name: basename(file),
    type: undefined,
    content: createReadStream(file, { end: sizeLimit }),
    isTruncated: () => size > sizeLimit,
  };
}

/** Addresses that are not on the public internet. */
const PRIVATE = new BlockList();
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
] as const)
  PRIVATE.addSubnet(network, bits, 'ipv4');
for (const [network, bits] of [
  ['::', 127],
  ['64:ff9b::', 96],
  ['fc00::', 7],
  ['fe80::', 10],
  ['ff00::', 8],
] as const)
  PRIVATE.addSubnet(network, bits, 'ipv6');

/** True if an address is on the public internet. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  return family !== 0 && !PRIVATE.check(address, family === 4 ? 'ipv4' : 'ipv6');
}

const TIMEOUT_MS = 30_000;
const MAX_REDIRECTS = 3;

/** Resolves names to public addresses only, so that a name cannot lead into the server's network. */
const lookUpPublic =
  (isAllowed: (address: string) => boolean): LookupFunction =>
  (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
      if (error !== null) return callback(error, '', 0);
      const allowed = addresses.filter(({ address }) => isAllowed(address));
      const [first] = allowed;
      if (first === undefined) return callback(new Error('its address is not public'), '', 0);
      return options.all === true ? callback(null, allowed) : callback(null, first.address, first.family);
    });
  };

const request = (url: URL, isAllowed: (address: string) => boolean): Promise<IncomingMessage> =>
  new Promise((onResponse, onError) => {
    const host = url.hostname.replace(/^\[|\]$/g, '');
    if (isIP(host) !== 0 && !isAllowed(host)) {
      onError(new Error('its address is not public'));
      return;
    }
    const get = url.protocol === 'https:' ? getHttps : getHttp;
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    get(url, { lookup: lookUpPublic(isAllowed), signal, headers: { accept: '*/*' } }, onResponse).on(
      'error',
      onError,
    );
  });

/** Ends a stream at the limit. */
const limitTo = (limit: number): { readonly stream: Transform; readonly isTruncated: () => boolean } => {
  let bytes = 0;
  const stream = new Transform({
    transform: (chunk: Buffer, _encoding, callback) => {
      const rest = Math.max(limit - bytes, 0);
      bytes += chunk.length;
      callback(null, chunk.subarray(0, rest));
    },
  });
  return { stream, isTruncated: () => bytes > limit };
};

const parseUrl = (text: string, source: string): URL => {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '')
    throw rejected(source, 'it is not a URL with http or https', 'Send an absolute URL without credentials.');
  return url;
};

const fileNameOf = (url: URL): string => {
  const name = basename(url.pathname);
  try {
    return decodeURIComponent(name) || 'file';
  } catch {
    return name;
  }
};

/**
 * Opens a file of a public web server. Follows up to three redirects.
 *
 * @param isAllowed decides about addresses
 * @throws `mcp/upload-rejected`
 */
export async function openUrl(
  text: string,
  sizeLimit: number,
  isAllowed: (address: string) => boolean = isPublicAddress,
): Promise<OpenUpload> {
  let url = parseUrl(text, text);
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    const response = await request(url, isAllowed).catch((error: unknown) => {
      throw rejected(text, messageOf(error), 'Send the address of a file on a public server.');
    });
    const { statusCode = 0, headers } = response;
    if (statusCode >= 300 && statusCode < 400 && headers.location !== undefined) {
      response.destroy();
      url = parseUrl(new URL(headers.location, url).href, text);
      continue;
    }
    if (statusCode !== 200) {
      response.destroy();
      throw rejected(text, `the server responds with status ${statusCode}`, 'Check the address.');
    }
    const { stream, isTruncated } = limitTo(sizeLimit);
    response.on('error', (error) => stream.destroy(error));
    return {
      name: fileNameOf(url),
      type: headers['content-type']?.split(';')[0],
      content: response.pipe(stream),
      isTruncated,
    };
  }
  throw rejected(text, `it redirects more than ${MAX_REDIRECTS} times`, 'Send the final address.');
}

const INFO = ['name', 'alternativeText', 'caption'] as const;

const openSource = ({ services, abilities }: McpCall, args: Arguments): Promise<OpenUpload> => {
  const { sizeLimit } = services;
  const { uploadFolder } = abilities;
  const [url, path] = [textArgument(args, 'url'), textArgument(args, 'path')];
  const isByPath = path !== undefined && url === undefined;
  if (isByPath && uploadFolder !== null) return openFolderFile(uploadFolder, path, sizeLimit);
  if (url !== undefined && path === undefined) return openUrl(url, sizeLimit);
  throw invalidArgument('upload', isByPath ? 'path' : 'url', {
    reason: isByPath ? 'is not accepted by a remote server' : 'or path must be sent, but not both',
    remedy:
      uploadFolder === null ? 'Send the url of a file.' : 'Send url, or path for a file of the project.',
  });
};

const store = async (call: McpCall, source: OpenUpload, args: Arguments): Promise<ToolResult> => {
  const { media, model, documents, access } = call.services;
  const info = parseSentFileInfo(model, Object.fromEntries(INFO.map((key) => [key, args[key]])));
  const session = await media.openUploadSession();
  try {
    const { name, type, content, isTruncated } = source;
    await session.receive({ name, type, content, isTruncated });
    if (args['dryRun'] === true) return { body: { plan: `Would upload ${name}.`, nothingChangedYet: true } };
    const [id = 0] = await session.commit([info]);
    const record = await readFile(documents, id, {
      selection: defaultSelection(model, FILE_UID),
      locale: access.locales.defaultCode(),
    });
    return { body: { done: `Uploaded ${name}. Link it by its id: ${id}.`, file: JSON.parse(record) } };
  } finally {
    await session.discard();
  }
};

const upload: Tool = {
  name: 'upload',
  title: 'Upload a file',
  description:
    'Add an image, video or other file to the media library, from a public URL or a path in the project. ' +
    'Returns its id, which media attributes accept.',
  properties: {
    url: { type: 'string', description: 'Public http(s) URL of the file.' },
    path: { type: 'string', description: 'Path in the project; only where the server runs on this machine.' },
    name: { type: 'string', description: 'Name in the media library. Default: that of the file.' },
    alternativeText: { type: 'string', description: 'Description of an image for people who cannot see it.' },
    caption: { type: 'string', description: 'Caption.' },
    dryRun: DRY_RUN_ARGUMENT,
  },
  required: [],
  effect: 'writes',
  run: async (call, args) => {
    if (!isGranted(call.caller.grants, UPLOAD_CONTROLLER, 'upload'))
      throw createError('mcp/forbidden', {
        action: 'upload',
        type: 'files',
        permission: `${UPLOAD_CONTROLLER}.upload`,
      });
    const source = await openSource(call, args);
    try {
      return await store(call, source, args);
    } finally {
      source.content.destroy();
    }
  },
};

export const UPLOAD_TOOLS: readonly Tool[] = [upload];
