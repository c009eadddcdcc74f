import type { ImportProgressStore } from '../../documents/documents.js';
import type { Schedule, ScheduledChange } from '../../documents/schedules/schedule-store.js';
import { isRecord, withoutUndefined } from '../../lib/records.js';
import { typeOf } from '../../model/lookup.js';
import type { ContentModel, Uid } from '../../model/model.js';
import type {
  ContentDocument,
  ContentStore,
  ContentVersions,
  CopiedVersion,
} from '../store/content-store.js';
import { findByRequest, sendRequest } from './send.js';
import type { RemoteAccess } from './send.js';

/** One locale of a document. An undefined locale is the default locale. */
interface LocaleName {
  readonly type: Uid;
  readonly documentId: string;
  readonly locale?: string | undefined;
}

/** Returns the path of a document: `/articles/abc`, `/homepage`. */
const addressOf = (model: ContentModel, { type: uid, documentId }: Omit<LocaleName, 'locale'>): string => {
  const { kind, singularName, pluralName } = typeOf(model, uid);
  return kind === 'singleType' ? `/${singularName}` : `/${pluralName}/${encodeURIComponent(documentId)}`;
};

/** Returns the written document and the omissions of a response. Null: there was no such document. */
const parseWritten = (body: unknown): CopiedVersion | null => {
  const meta = isRecord(body) ? body['meta'] : undefined;
  return body === null
    ? null
    : {
        document: responseData(body) as ContentDocument,
        omitted: (isRecord(meta) ? meta['omitted'] : []) as CopiedVersion['omitted'],
      };
};

/** Returns the path of a resource below a document: `/articles/…/schedule?locale=fr`. */
function documentPath(model: ContentModel, { locale, ...name }: LocaleName, rest: string): string {
  const query = locale === undefined ? '' : `?locale=${encodeURIComponent(locale)}`;
  return `${addressOf(model, name)}/${rest}${query}`;
}

/** Returns the data in a response. */
export function responseData(body: unknown): unknown {
  return isRecord(body) ? body['data'] : undefined;
}

type Found = Awaited<ReturnType<ContentVersions['find']>>;

/** Returns the operations on published versions of a remote server. */
export function remoteVersions(model: ContentModel, access: RemoteAccess): ContentVersions {
  const read = async (path: string): Promise<unknown> =>
    responseData(await findByRequest(access, { method: 'GET', path, isRepeatable: true })) ?? null;
  const find: ContentVersions['find'] = async (name, version) =>
    (await read(documentPath(model, name, `versions/${version}`))) as Found;
  return {
    list: async (name) =>
      (await read(documentPath(model, name, 'versions'))) as Awaited<ReturnType<ContentVersions['list']>>,
    find,
    restore: async (name, version, { isDryRun = false }) => {
      if (isDryRun) return (await find(name, version)) === null ? null : { document: null, omitted: [] };
      const path = documentPath(model, name, `versions/${version}/restore`);
      return parseWritten(await findByRequest(access, { method: 'POST', path, isRepeatable: false }));
    },
  };
}

/** Returns the operation that copies a document of a remote server to another locale. */
export function remoteTranslate(
  model: ContentModel,
  access: RemoteAccess,
  find: ContentStore['findOne'],
): ContentStore['translate'] {
  return async (uid, { documentId, locale, from, attributes, data, status }, { isDryRun = false }) => {
    if (isDryRun) {
      const params = { fields: ['documentId'], ...(from === undefined ? {} : { locale: from }) };
      return (await find(uid, documentId, params)) === null ? null : { document: null, omitted: [] };
    }
    const query = withoutUndefined({ locale, from, attributes: attributes?.join(','), status });
    const path = `${addressOf(model, { type: uid, documentId })}?${new URLSearchParams(query).toString()}`;
    return parseWritten(
      await findByRequest(access, { method: 'POST', path, body: { data }, isRepeatable: false }),
    );
  };
}

/** Returns the operations on schedules of a remote server. Servers of earlier releases have none. */
export function remoteSchedules(
  model: ContentModel,
  access: RemoteAccess,
): Pick<ContentStore, 'schedule' | 'listScheduled'> {
  return {
    schedule: async (type, documentId, { locale, data }, { isDryRun = false }) => {
      const path = documentPath(model, { type, documentId, locale }, 'schedule');
      const body = await findByRequest(
        access,
        isDryRun
          ? { method: 'GET', path, isRepeatable: true }
          : { method: 'PUT', path, body: { data }, isRepeatable: true },
      );
      return (responseData(body) ?? null) as Schedule | null;
    },
    listScheduled: async ({ type, documentIds }) => {
      const path = `/cms/schedules${type === undefined ? '' : `?type=${encodeURIComponent(type)}`}`;
      const body = await findByRequest(access, { method: 'GET', path, isRepeatable: true });
      const found = (responseData(body) ?? []) as readonly ScheduledChange[];
      return documentIds === undefined
        ? found
        : found.filter(({ documentId }) => documentIds.includes(documentId));
    },
  };
}

/** Returns the progress of imports that a remote server stores. */
export function remoteProgress(access: RemoteAccess): ImportProgressStore {
  const pathOf = (key: string): string => `/cms/progress?key=${encodeURIComponent(key)}`;
  return {
    find: async (key) => {
      const value = responseData(
        await sendRequest(access, { method: 'GET', path: pathOf(key), isRepeatable: true }),
      );
      return typeof value === 'string' ? value : null;
    },
    remove: async (key) => {
      await sendRequest(access, { method: 'DELETE', path: pathOf(key), isRepeatable: true });
    },
  };
}
