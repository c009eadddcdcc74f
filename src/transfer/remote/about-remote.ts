import { createError } from '../../errors/catalogue.js';
import { isGalleyError } from '../../errors/galley-error.js';
import { isRecord } from '../../lib/records.js';
import { componentOf, typeOf } from '../../model/lookup.js';
import type { ContentModel, ContentSchema, Uid } from '../../model/model.js';
import { compareSchemas, outlineModel } from '../../model/outline.js';
import type { ModelOutline, SchemaOutline } from '../../model/outline.js';
import { sendRequest } from './send.js';
import type { RemoteAccess, RemoteName } from './send.js';

/** The description that a server returns of itself. */
export interface RemoteAbout {
  readonly version: string;
  /** The token of the request. Null: the server does not return it. */
  readonly token: { readonly name: string; readonly type: string; readonly expiresAt: string | null } | null;
  readonly locales: readonly { readonly code: string; readonly isDefault: boolean }[];
  readonly limits: {
    /** The most documents of a page. */
    readonly page: number;
    /** The most writes of a request. */
    readonly bulk: number;
  };
  /** True if the server stores the progress of imports. Earlier releases do not. */
  readonly keepsProgress: boolean;
  /** True if writes may require a revision. Earlier releases reject such writes. */
  readonly comparesRevisions: boolean;
  readonly schemas: ModelOutline;
}

type JsonObject = Readonly<Record<string, unknown>>;

const isOutline = (value: unknown): value is SchemaOutline =>
  isRecord(value) && typeof value['kind'] === 'string' && isRecord(value['attributes']);

const parseToken = (token: unknown): RemoteAbout['token'] => {
  if (!isRecord(token) || typeof token['name'] !== 'string') return null;
  const { name, type, expiresAt } = token;
  return { name, type: String(type), expiresAt: typeof expiresAt === 'string' ? expiresAt : null };
};

const isLocale = (value: unknown): value is RemoteAbout['locales'][number] =>
  isRecord(value) && typeof value['code'] === 'string' && typeof value['isDefault'] === 'boolean';

const parseAbout = (remote: RemoteName, body: unknown): RemoteAbout => {
  const data: JsonObject = isRecord(body) && isRecord(body['data']) ? body['data'] : {};
  const { version, token, locales, limits, schemas, keepsProgress, comparesRevisions } = data;
  const limitOf = (key: string): unknown => (isRecord(limits) ? limits[key] : undefined);
  const [page, bulk] = [limitOf('page'), limitOf('bulk')];
  const isComplete =
    typeof version === 'string' &&
    typeof page === 'number' &&
    typeof bulk === 'number' &&
    Array.isArray(locales) &&
    locales.every(isLocale) &&
    isRecord(schemas) &&
    Object.values(schemas).every(isOutline);
  if (!isComplete)
    throw createError('remote/unexpected-response', {
      ...remote,
      reason: 'its description is incomplete',
    });
  return {
    version,
    token: parseToken(token),
    locales,
    limits: { page, bulk },
    keepsProgress: keepsProgress === true,
    comparesRevisions: comparesRevisions === true,
    schemas: schemas as ModelOutline,
  };
};

/**
 * Requests the description of a server and of the token.
 *
 * @throws `remote/unauthorized`, `remote/forbidden`, `remote/unexpected-response`, `remote/unreachable`
 */
export async function aboutRemote(access: RemoteAccess): Promise<RemoteAbout> {
  const request = { method: 'GET', path: '/cms/about', isRepeatable: true } as const;
  return parseAbout({ name: access.name, url: access.url }, await sendRequest(access, request));
}

/**
 * Returns the first of several addresses at which a server has its API, with the server's description.
 *
 * @throws the error of {@link aboutRemote} for the first address
 */
export async function findApi(
  access: Omit<RemoteAccess, 'url'>,
  urls: readonly [string, ...string[]],
): Promise<{ readonly url: string; readonly about: RemoteAbout }> {
  let firstError: unknown;
  for (const url of urls) {
    try {
      return { url, about: await aboutRemote({ ...access, url }) };
    } catch (error) {
      const isOtherAddress =
        isGalleyError(error) && ['remote/unexpected-response', 'remote/refused'].includes(error.code);
      if (!isOtherAddress) throw error;
      firstError ??= error;
    }
  }
  throw firstError;
}

interface SchemaCheckDependencies {
  /** The model of the local project. */
  readonly model: ContentModel;
  readonly about: Pick<RemoteAbout, 'schemas'>;
  readonly name: string;
  readonly warn: (message: string) => void;
}

/** Returns the uids of a type and of all its components, at any depth. */
const schemasOf = (model: ContentModel, uid: Uid): ReadonlySet<Uid> => {
  const found = new Set<Uid>([uid]);
  const visit = ({ attributes }: ContentSchema): void => {
    for (const attribute of Object.values(attributes)) {
      const components =
        attribute.family === 'component'
          ? [attribute.component]
          : attribute.family === 'dynamiczone'
            ? attribute.components
            : [];
      for (const component of components.filter((name) => !found.has(name))) {
        found.add(component);
        visit(componentOf(model, component));
      }
    }
  };
  visit(typeOf(model, uid));
  return found;
};

/**
 * Creates a function that compares the schemas of a type in the project and on a server, once for each type.
 * It warns if attributes differ; the server then accepts or rejects each request.
 *
 * @throws `remote/other-schema` if the server has no such type, or one of another kind
 */
export function createSchemaCheck({ model, about, name, warn }: SchemaCheckDependencies): (uid: Uid) => void {
  const outlines = outlineModel(model);
  const checked = new Set<Uid>();
  return (type) => {
    if (checked.has(type)) return;
    for (const uid of schemasOf(model, type)) {
      const outline = outlines[uid];
      if (outline === undefined || checked.has(uid)) continue;
      const difference = compareSchemas(uid, outline, about.schemas[uid]);
      if (difference?.isFundamental === true)
        throw createError('remote/other-schema', { type: uid, name, reason: difference.reasons.join(', ') });
      checked.add(uid);
      if (difference !== null) warn(`${uid} is not the same at ${name}: ${difference.reasons.join(', ')}.`);
    }
  };
}
