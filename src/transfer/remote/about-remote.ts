import { createError } from '../../errors/catalogue.js';
import { isGalleyError } from '../../errors/galley-error.js';
import { isRecord } from '../../lib/records.js';
import { componentOf, typeOf } from '../../model/lookup.js';
import type { ContentModel, ContentSchema, Uid } from '../../model/model.js';
import { compareSchemas, outlineModel } from '../../model/outline.js';
import type { ModelOutline, SchemaOutline } from '../../model/outline.js';
import { sendRequest } from './send.js';
import type { RemoteAccess, RemoteName } from './send.js';

/** The description of a server, as the server itself reports it. */
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
  /** True if the server keeps the progress of imports. Those of former releases do not. */
  readonly keepsProgress: boolean;
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

const parseAbout = (remote: RemoteName, answer: unknown): RemoteAbout => {
  const data: JsonObject = isRecord(answer) && isRecord(answer['data']) ? answer['data'] : {};
  const { version, token, locales, limits, schemas, keepsProgress } = data;
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
    throw createError('remote/unexpected-answer', {
      ...remote,
      reason: 'it does not say what it is',
    });
  return {
    version,
    token: parseToken(token),
    locales,
    limits: { page, bulk },
    keepsProgress: keepsProgress === true,
    schemas: schemas as ModelOutline,
  };
};

/**
 * Asks a server what it is, and what the token may do.
 *
 * @throws `remote/unauthorized`, `remote/forbidden`, `remote/unexpected-answer`, `remote/unreachable`
 */
export async function aboutRemote(access: RemoteAccess): Promise<RemoteAbout> {
  const request = { method: 'GET', path: '/cms/about', isRepeatable: true } as const;
  return parseAbout({ name: access.name, url: access.url }, await sendRequest(access, request));
}

/**
 * Finds at which of several addresses the API of a server is.
 *
 * @throws what {@link aboutRemote} throws of the first one
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
      const isElsewhere =
        isGalleyError(error) && ['remote/unexpected-answer', 'remote/refused'].includes(error.code);
      if (!isElsewhere) throw error;
      firstError ??= error;
    }
  }
  throw firstError;
}

interface SchemaCheckDependencies {
  /** Of the project at hand. */
  readonly model: ContentModel;
  readonly about: Pick<RemoteAbout, 'schemas'>;
  readonly name: string;
  readonly warn: (message: string) => void;
}

/** Returns the uids of a type and of all components that it holds. */
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
 * If attributes differ, warns, and the server accepts or rejects each request.
 *
 * @throws `remote/other-schema` if the server has no such type, or one of another kind
 */
export function createSchemaCheck({ model, about, name, warn }: SchemaCheckDependencies): (uid: Uid) => void {
  const own = outlineModel(model);
  const checked = new Set<Uid>();
  return (type) => {
    if (checked.has(type)) return;
    for (const uid of schemasOf(model, type)) {
      const outline = own[uid];
      if (outline === undefined || checked.has(uid)) continue;
      const difference = compareSchemas(uid, outline, about.schemas[uid]);
      if (difference?.isFundamental === true)
        throw createError('remote/other-schema', { type: uid, name, reason: difference.reasons.join(', ') });
      checked.add(uid);
      if (difference !== null) warn(`${uid} is not the same at ${name}: ${difference.reasons.join(', ')}.`);
    }
  };
}
