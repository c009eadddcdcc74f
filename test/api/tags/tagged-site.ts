import { addLocale } from '../../../src/access/locales.js';
import { setPermissions } from '../../../src/access/permissions/role-permissions.js';
import { createToken } from '../../../src/access/tokens.js';
import { createDeliveryStore } from '../../../src/api/webhooks/delivery-store.js';
import { createSiteWatch, createTagRecorder } from '../../../src/api/webhooks/record-tags.js';
import { createWebhookRegistry } from '../../../src/api/webhooks/webhook-registry.js';
import { createDueReleases } from '../../../src/documents/releases/releases.js';
import { startScheduleRunner } from '../../../src/documents/schedules/schedule-documents.js';
import { HOUR_MS } from '../../../src/lib/units.js';
import { USER_UID } from '../../../src/model/content-types/builtin-types.js';
import type { ContentType } from '../../../src/model/model.js';
import { openApp } from '../../../src/project/open/open-app.js';
import type { App } from '../../../src/project/open/open-app.js';
import { openProjectDatabase } from '../../../src/project/open/open-database.js';
import type { Project } from '../../../src/project/open/open-project.js';
import { createLogger } from '../../../src/server/logger.js';
import { PROJECT } from '../../contract/documents/random/project.js';
import type { TestDatabaseKind } from '../../support/databases.js';
import type { ProjectLiteral, TypeLiteral } from '../../support/models.js';
import { createSiteProject } from '../support/site.js';

export const COLORS = ['red', 'green', 'blue', 'white'];

const BOTH = 'api::both.both';
const PLAIN = 'api::plain.plain';
const translated = { pluginOptions: { i18n: { localized: true } } };

/** The owner of documents: a user, whom public responses show. */
const OWNED: TypeLiteral['attributes'] = {
  owner: { type: 'relation', relation: 'manyToOne', target: USER_UID, inversedBy: 'plains' },
};

/** A single type that shows others. */
const FRONT: TypeLiteral = {
  kind: 'singleType',
  pluralName: 'fronts',
  draftAndPublish: true,
  localized: true,
  attributes: {
    text: { type: 'string', ...translated },
    count: { type: 'integer' },
    leads: { type: 'relation', relation: 'manyToMany', target: BOTH, ...translated },
    hero: { type: 'relation', relation: 'oneToOne', target: PLAIN, ...translated },
    seo: { type: 'component', component: 'part.seo', ...translated },
    cover: { type: 'media', multiple: false },
  },
};

/** The random project, with attributes whose values select documents, with owners, and a single type. */
const SITE: ProjectLiteral = {
  ...PROJECT,
  types: Object.fromEntries(
    Object.entries({ ...PROJECT.types, front: FRONT }).map(([name, type]) => [
      name,
      {
        ...type,
        attributes: {
          ...type.attributes,
          color: { type: 'enumeration', enum: COLORS },
          isBig: { type: 'boolean' },
          ...(name === 'plain' ? OWNED : {}),
        },
      },
    ]),
  ),
  user: {
    attributes: {
      plains: { type: 'relation', relation: 'oneToMany', target: PLAIN, mappedBy: 'owner' },
    },
  },
};

/** The text of documents whose updates make project code update others. */
const HOOKED_TEXT = 'text 7';

/** Project code and a lifecycle of Strapi that write other documents: in the transaction, and after it. */
const CODE = {
  'src/index.js': `
    const change = async (documents, uid, params = {}) => {
      const found = await documents(uid).findFirst({ sort: 'documentId', ...params });
      if (found === null) return;
      const data = { count: (found.count ?? 0) + 1 };
      await documents(uid).update({ documentId: found.documentId, data, status: 'published', ...params });
    };
    const isHooked = ({ data }) => data?.text === '${HOOKED_TEXT}';
    export const register = ({ documents, strapi }) => {
      strapi.db.lifecycles.subscribe({
        models: ['api::drafted.drafted'],
        async afterUpdate({ result }) {
          if (result?.text !== '${HOOKED_TEXT}') return;
          const plains = strapi.db.query('${PLAIN}');
          const found = await plains.findOne({ where: { color: 'red' } });
          if (found) await plains.update({ where: { id: found.id }, data: { text: 'by a lifecycle' } });
        },
      });
      documents.before(
        'update',
        async (event, tx) => {
          if (isHooked(event)) await change(tx.documents, '${PLAIN}');
        },
        ['${BOTH}'],
      );
      documents.after(
        'update',
        async (event) => {
          if (isHooked(event)) await change(documents, 'api::translated.translated', { locale: 'en' });
        },
        ['${BOTH}'],
      );
    };`,
};

const CONFIG = {
  cache: { tags: ['Cache-Tag'], control: { '*': { maxAge: 0, sMaxAge: 86_400 } } },
  // No process sends what is recorded, so that the test can read it.
  webhooks: [{ name: 'cache', url: 'http://127.0.0.1:9', events: ['cache.purge'] }],
  trash: { days: 30 },
};

/** Returns the permission with which everybody may read documents of a type. */
export function publicPermission({ uid, kind }: Pick<ContentType, 'uid' | 'kind'>) {
  return { role: 'public', uid, actions: kind === 'singleType' ? ['find'] : ['find', 'findOne'] };
}

/** A response as a shared cache would store it. */
export interface PublicResponse {
  readonly status: number;
  readonly text: string;
  /** Null: no shared cache stores the response. */
  readonly tags: readonly string[] | null;
}

export interface JsonResponse {
  readonly status: number;
  readonly body: unknown;
}

/** An application whose requests nobody sends over a network, and the tags that its writes announce. */
export interface TaggedSite {
  readonly project: Project;
  readonly app: App;
  /** Sends a request without a credential. */
  readonly read: (path: string) => Promise<PublicResponse>;
  /** Sends a request with full access. Throws if the server fails. */
  readonly send: (
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    body?: object,
  ) => Promise<JsonResponse>;
  /** Publishes and unpublishes what is scheduled for the next hours. */
  readonly runSchedules: () => Promise<void>;
  /** Returns the tags announced since the last call, also those of changed permissions. */
  readonly announced: () => Promise<ReadonlySet<string>>;
  readonly close: () => Promise<void>;
}

/** The types that everybody may read. */
const publicTypes = ({ model }: Project): readonly ContentType[] =>
  model.types.filter(({ origin, uid }) => origin === 'project' || uid === USER_UID);

const furnish = async (project: Project): Promise<string> => {
  const { context, close } = await openProjectDatabase(project);
  await addLocale(context, { code: 'fr' });
  for (const type of publicTypes(project)) await setPermissions(context, publicPermission(type));
  const { accessKey } = await createToken(context, { name: 'full', type: 'full-access', permissions: [] });
  await close();
  return accessKey;
};

/** Milliseconds. Only the test runs schedules. */
const NEVER = 2 ** 30;

const openSchedules = ({ database, project, documents, access }: App) => {
  const { model } = project;
  const onError = (error: unknown): never => {
    throw error;
  };
  const { locales } = access;
  return startScheduleRunner({
    database,
    model,
    documents,
    clock: () => new Date(Date.now() + 3 * HOUR_MS),
    onDone: () => undefined,
    // Drafts may be gone or incomplete at their time.
    onFailed: () => undefined,
    onRelease: () => undefined,
    releases: createDueReleases({ database, model, documents, locales }),
    onError,
    intervals: { lookMs: NEVER, leaseMs: NEVER },
  });
};

/** Returns a function that takes the recorded tags. */
const openAnnouncements = ({ database, project: { config, model } }: App): TaggedSite['announced'] => {
  const recorder = createTagRecorder({
    registry: createWebhookRegistry(database, config),
    deliveries: createDeliveryStore(database),
    onRecorded: () => undefined,
  });
  const announceSiteChanges = createSiteWatch(database, model, recorder, { delayMs: 0 });
  return async () => {
    await announceSiteChanges();
    return database.transact(async (tx) => {
      const rows = await tx.query('DELETE FROM "cms_webhook_deliveries" RETURNING "payload"', []);
      return new Set(
        rows.flatMap(
          ({ payload }) => (JSON.parse(String(payload)) as { readonly tags: readonly string[] }).tags,
        ),
      );
    });
  };
};

const tagsOf = (headers: Readonly<Record<string, unknown>>): readonly string[] | null => {
  const tags = headers['cache-tag'];
  if (typeof tags === 'string') return tags.split(',');
  if (/s-maxage/.test(String(headers['cache-control']))) throw new Error('A public response has no tags.');
  return null;
};

/** Opens the application on a new database. */
export async function openTaggedSite(database: TestDatabaseKind): Promise<TaggedSite> {
  const { project, remove } = await createSiteProject({
    project: SITE,
    database,
    config: CONFIG,
    files: CODE,
  });
  const key = await furnish(project);
  const log: string[] = [];
  const logger = createLogger({ level: 'error', stream: { write: (line) => void log.push(line) } });
  const app = await openApp(project, { logger, shouldGenerate: true });
  const address = await app.fastify.listen({ host: '127.0.0.1', port: 0 });
  // A slow comparison must not outlast a connection.
  app.fastify.server.keepAliveTimeout = 0;
  const authorization = `Bearer ${key}`;
  const request = async (
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    body?: object,
  ): Promise<{ readonly status: number; readonly text: string }> => {
    // Only uploads need a socket.
    if (body instanceof FormData) {
      const response = await fetch(`${address}${path}`, { method: 'POST', headers: { authorization }, body });
      return { status: response.status, text: await response.text() };
    }
    const headers = { authorization, ...(body === undefined ? {} : { 'content-type': 'application/json' }) };
    const payload = body === undefined ? {} : { payload: JSON.stringify(body) };
    const response = await app.fastify.inject({ method, url: path, headers, ...payload });
    return { status: response.statusCode, text: response.payload };
  };
  const runner = openSchedules(app);
  const announced = openAnnouncements(app);
  return {
    project,
    app,
    announced,
    read: async (url) => {
      const { statusCode, headers, payload } = await app.fastify.inject({
        method: 'GET',
        url,
        headers: { 'content-type': 'application/json' },
      });
      if (statusCode >= 500) throw new Error(`GET ${url}: ${payload}`);
      return { status: statusCode, text: payload, tags: tagsOf(headers) };
    },
    send: async (method, path, body) => {
      const { status, text } = await request(method, path, body);
      if (status >= 500 || log.length > 0)
        throw new Error(`${method} ${path} ${JSON.stringify(body)}: ${text} ${log.join('\n')}`);
      return { status, body: text === '' ? null : (JSON.parse(text) as unknown) };
    },
    runSchedules: runner.look,
    close: async () => {
      await runner.stop();
      await app.fastify.close();
      await remove();
    },
  };
}
