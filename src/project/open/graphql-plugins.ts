import { readFile, readdir, stat } from 'node:fs/promises';
import { basename, extname, join, relative } from 'node:path';
import type { FastifyPluginAsync } from 'fastify';
import type { Access } from '../../access/access.js';
import type { AccountContext } from '../../access/accounts/account-context.js';
import { graphqlOptionsOf } from '../../api/graphql/graphql-options.js';
import { createGraphqlPlugin } from '../../api/graphql/http/graphql-plugin.js';
import type { SchemaExtension } from '../../api/graphql/schema/type-registry.js';
import type { ResponseCache } from '../../api/http/response-cache.js';
import { parseJsonBody } from '../../api/rest/parse-json-body.js';
import type { Config } from '../../config/config.js';
import type { ChangeFeed } from '../../documents/changes/change-feed.js';
import type { DocumentService } from '../../documents/documents.js';
import type { DocumentHistory } from '../../documents/versions/document-history.js';
import { createError } from '../../errors/catalogue.js';
import { sha256Hex } from '../../lib/ids.js';
import { isRecord } from '../../lib/records.js';
import type { MediaLibrary } from '../../media/media.js';
import type { ContentModel } from '../../model/model.js';
import { toGalleyError } from '../../server/request-errors.js';

type NamedDocuments = readonly (readonly [name: string, text: string])[];

const GRAPHQL_EXTENSIONS = ['.graphql', '.gql'];

const persistedDocumentsError = (file: string, reason: string, cause?: unknown): Error =>
  createError('graphql/invalid-persisted-queries', { file, reason }, { cause });

const parseJson = (file: string, text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw persistedDocumentsError(file, 'it is not valid JSON', error);
  }
};

/** Parses `{hash: document}` or Apollo's manifest `{operations: [{id, body}]}`. */
const parseManifest = (file: string, text: string): NamedDocuments => {
  const value = parseJson(file, text);
  const operations: unknown = isRecord(value) ? value['operations'] : undefined;
  const entries = Array.isArray(operations)
    ? operations.map((item: unknown): readonly unknown[] =>
        isRecord(item) ? [item['id'], item['body']] : [],
      )
    : Object.entries(isRecord(value) ? value : {});
  return entries.map(([name, document]) => {
    if (typeof name !== 'string' || typeof document !== 'string')
      throw persistedDocumentsError(
        file,
        'every entry must be the text of a document, with its hash or name as the key',
      );
    return [name, document];
  });
};

const loadDocumentFile = async (root: string, path: string): Promise<NamedDocuments> => {
  const file = relative(root, path);
  const text = await readFile(path, 'utf8');
  if (extname(path) === '.json') return parseManifest(file, text);
  if (!GRAPHQL_EXTENSIONS.includes(extname(path)))
    throw persistedDocumentsError(file, 'it is neither a .graphql nor a .json file');
  // Files usually end with a line break, which clients do not send, so both forms get a hash.
  return [
    [basename(path, extname(path)), text],
    [sha256Hex(text.trim()), text],
  ];
};

const filesIn = async (folder: string): Promise<readonly string[]> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && [...GRAPHQL_EXTENSIONS, '.json'].includes(extname(entry.name)))
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted();
};

/**
 * Loads the persisted GraphQL documents of a project. Each one is listed twice: by its SHA-256 hash and by
 * its name. The name is the file name without extension, or the key in a .json file.
 *
 * @param from file or folder, relative to the project's root
 * @throws `graphql/invalid-persisted-queries`
 */
export async function loadPersistedDocuments(
  root: string,
  from: string,
): Promise<ReadonlyMap<string, string>> {
  const path = join(root, from);
  const stats = await stat(path).catch((error: unknown) => {
    throw persistedDocumentsError(from, 'the file or folder does not exist', error);
  });
  const files = stats.isDirectory() ? await filesIn(path) : [path];
  const documents = (await Promise.all(files.map((file) => loadDocumentFile(root, file)))).flat();
  return new Map(
    documents.flatMap(([name, text]) => [
      [name, text],
      [sha256Hex(text), text],
    ]),
  );
}

export interface GraphqlPluginDependencies {
  /** The project's folder. */
  readonly root: string;
  readonly config: Config;
  readonly model: ContentModel;
  readonly documents: DocumentService;
  readonly history: DocumentHistory;
  readonly access: Access;
  readonly accounts: AccountContext;
  readonly media: MediaLibrary;
  readonly extension: SchemaExtension;
  readonly changes: ChangeFeed;
  readonly cache: ResponseCache | undefined;
}

/** Returns the plugin of the GraphQL endpoint, or no plugin if the project disables the endpoint. */
export function createGraphqlPlugins({
  root,
  config,
  model,
  documents,
  history,
  access,
  accounts,
  media,
  extension,
  changes,
  cache,
}: GraphqlPluginDependencies): readonly FastifyPluginAsync[] {
  const options = graphqlOptionsOf(config);
  if (options === null) return [];
  const { from } = options.persistedQueries;
  return [
    createGraphqlPlugin({
      model,
      documents,
      history,
      access,
      options,
      maxNodes: config.api.rest.maxNodes,
      maxBulk: config.api.rest.maxBulk,
      accounts,
      media,
      extension,
      changes,
      ...(cache === undefined ? {} : { cache }),
      parseBody: parseJsonBody,
      toGalleyError: toGalleyError,
      ...(from === null ? {} : { loadPersisted: () => loadPersistedDocuments(root, from) }),
    }),
  ];
}
