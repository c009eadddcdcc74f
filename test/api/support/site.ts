import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { inject } from 'vitest';
import type { AccessContext } from '../../../src/access/access.js';
import { addLocale } from '../../../src/access/locales.js';
import { createToken } from '../../../src/access/tokens.js';
import { setPermissions } from '../../../src/access/permissions/role-permissions.js';
import { migrateProject } from '../../support/migrate-project.js';
import { openProjectDatabase } from '../../../src/project/open/open-database.js';
import { openProject } from '../../../src/project/open/open-project.js';
import type { Project } from '../../../src/project/open/open-project.js';
import { startServer } from '../../../src/project/serve/start-server.js';
import type { RunningServer } from '../../../src/project/serve/start-server.js';
import type { LogLevel } from '../../../src/config/config.js';
import { createLogger } from '../../../src/server/logger.js';
import { copyDatabase, createSharedDatabase, databases } from '../../support/databases.js';
import type { TestDatabase, TestDatabaseKind } from '../../support/databases.js';
import { getOrCreate } from '../../../src/lib/collections.js';
import { fixtureProject, schemaFilesFrom } from '../../support/models.js';
import type { ProjectLiteral } from '../../support/models.js';

interface SiteFile {
  readonly locales?: readonly { readonly code: string; readonly name: string }[];
  readonly tokens: readonly {
    readonly name: string;
    readonly type: 'read-only' | 'full-access' | 'custom';
    readonly permissions?: readonly string[];
  }[];
  readonly permissions?: Readonly<Record<string, readonly string[]>>;
}

/** A served project with a database of its own, its tokens, grants and locales, and no documents. */
export interface Site {
  readonly root: string;
  readonly project: Project;
  readonly server: RunningServer;
  /** Access keys by the token's name. */
  readonly tokens: Readonly<Record<string, string>>;
  /** What the server logged, one JSON line each. */
  readonly log: readonly string[];
  readonly close: () => Promise<void>;
}

export interface SiteOptions {
  /** A fixture's name, or object literals. */
  readonly project: 'magazine' | 'launchpad' | ProjectLiteral;
  readonly database: TestDatabaseKind;
  /** What its cms.config exports. */
  readonly config?: Readonly<Record<string, unknown>>;
  /** True if tries to sign in are limited; off where nothing else is said. */
  readonly rateLimit?: boolean;
  /** What `log` holds. Default: warn. */
  readonly logLevel?: LogLevel;
  /** Files of its own beside the fixture's, by path. */
  readonly files?: Readonly<Record<string, string>>;
  /** Permissions granted before the server starts, beside the fixture's: actions with their UIDs by role. */
  readonly permissions?: SiteFile['permissions'];
}

const SECRETS =
  'JWT_SECRET=k8Jq2vXw9ZpL4mNb7RtY6uHs3eDfGc1A\nAPI_TOKEN_SALT=f3Wd9sKz7QyB1nVx5MtE8uRj2oLpC6hT\n';

const writeEnv = (root: string, url: string, { rateLimit = false }: SiteOptions): Promise<void> =>
  writeFile(
    join(root, '.env'),
    `DATABASE_URL=${url}\n${SECRETS}CMS_RATE_LIMIT=${rateLimit ? 'on' : 'off'}\n`,
  );

interface SiteFolder {
  readonly root: string;
  readonly remove: () => Promise<void>;
}

/** A new folder. Removing it drops the database. */
const createFolder = async ({ drop }: TestDatabase): Promise<SiteFolder> => {
  const root = await mkdtemp(join(tmpdir(), 'galley-site-'));
  const remove = async (): Promise<void> => {
    await rm(root, { recursive: true, force: true });
    await drop();
  };
  return { root, remove };
};

const writeSite = async (root: string, url: string, options: SiteOptions): Promise<void> => {
  const { project, config = {}, files = {} } = options;
  const writeFiles = async (all: Iterable<readonly [path: string, text: string]>): Promise<void> => {
    for (const [path, text] of all) {
      await mkdir(dirname(join(root, path)), { recursive: true });
      await writeFile(join(root, path), text);
    }
  };
  if (typeof project === 'string')
    await cp(join(fixtureProject(project), 'src'), join(root, 'src'), { recursive: true });
  else await writeFiles(schemaFilesFrom(project).map(({ path, text }) => [path, text]));
  await writeFile(join(root, 'cms.config.mjs'), `export default ${JSON.stringify(config)};\n`);
  await writeEnv(root, url, options);
  await writeFiles(Object.entries(files));
};

/** An unserved project in a folder of its own. */
export async function createSiteFolder(options: SiteOptions): Promise<SiteFolder> {
  const database = await options.database.create();
  const folder = await createFolder(database);
  await writeSite(folder.root, database.url, options);
  return folder;
}

const grantAll = async (context: AccessContext, permissions: SiteFile['permissions'] = {}): Promise<void> => {
  for (const [role, actions] of Object.entries(permissions)) {
    const uids = new Set(actions.map((action) => action.slice(0, action.lastIndexOf('.'))));
    for (const uid of uids) {
      const actionNames = actions
        .filter((action) => action.slice(0, action.lastIndexOf('.')) === uid)
        .map((action) => action.slice(uid.length + 1));
      await setPermissions(context, { role, uid, actions: actionNames });
    }
  }
};

/** Does what project.json of the fixture says, as the command line would; returns the access keys. */
const applySiteFile = async (
  project: Project,
  file: SiteFile,
  granted?: SiteFile['permissions'],
): Promise<Readonly<Record<string, string>>> => {
  const { context, close } = await openProjectDatabase(project);
  try {
    for (const { code, name } of file.locales ?? []) await addLocale(context, { code, name });
    await grantAll(context, file.permissions);
    await grantAll(context, granted);
    const tokens: Record<string, string> = {};
    for (const { name, type, permissions = [] } of file.tokens)
      tokens[name] = (await createToken(context, { name, type, permissions })).accessKey;
    return tokens;
  } finally {
    await close();
  }
};

const DEFAULT_SITE_FILE: SiteFile = { tokens: [{ name: 'full', type: 'full-access' }] };

const readSiteFile = async (project: SiteOptions['project']): Promise<SiteFile> => {
  if (typeof project !== 'string') return DEFAULT_SITE_FILE;
  const text = await readFile(join(fixtureProject(project), 'project.json'), 'utf8').catch(() => null);
  return text === null ? DEFAULT_SITE_FILE : (JSON.parse(text) as SiteFile);
};

/** A migrated project that is not served. */
export async function createSiteProject(
  options: SiteOptions,
): Promise<{ readonly project: Project; readonly remove: () => Promise<void> }> {
  const { root, remove } = await createSiteFolder(options);
  const project = await openProject(root);
  await migrateProject(project, { label: 'model' });
  return { project, remove };
}

/** A migrated project that is not served, and the access keys of its tokens. */
interface FurnishedSite extends SiteFolder {
  readonly tokens: Site['tokens'];
}

const furnishSite = async (options: SiteOptions): Promise<FurnishedSite> => {
  const { project, remove } = await createSiteProject(options);
  const tokens = await applySiteFile(project, await readSiteFile(options.project), options.permissions);
  return { root: project.root, tokens, remove };
};

/** A project that others are copied from. */
interface PreparedSite extends Pick<FurnishedSite, 'root' | 'tokens'> {
  readonly url: string;
}

const prepareSite = async ({ project: name, database: kind }: SiteOptions): Promise<PreparedSite> => {
  const { url } = await createSharedDatabase(kind.name);
  const root = await mkdtemp(join(inject('runFolder'), 'site-'));
  await writeSite(root, url, { project: name, database: kind });
  const project = await openProject(root);
  await migrateProject(project, { label: 'model' });
  return { root, url, tokens: await applySiteFile(project, await readSiteFile(name)) };
};

/** By dialect and fixture. */
const preparedSites = new Map<string, Promise<PreparedSite>>();

/** Copies the site of a fixture. Migrating takes longer than most tests do. */
const copySite = async (options: SiteOptions): Promise<FurnishedSite> => {
  const { project, database: kind } = options;
  const key = `${kind.name} ${JSON.stringify(project)}`;
  const prepared = await getOrCreate(preparedSites, key, () => prepareSite(options));
  const database = await copyDatabase(kind.name, prepared.url);
  const folder = await createFolder(database);
  await cp(prepared.root, folder.root, { recursive: true });
  await writeEnv(folder.root, database.url, options);
  return { ...folder, tokens: prepared.tokens };
};

/** True if the options change neither the fixture's files and permissions nor how it reaches its database. */
const isFixture = ({ project, config = {}, files = {}, permissions = {}, database }: SiteOptions): boolean =>
  typeof project === 'string' &&
  Object.keys({ ...config, ...files, ...permissions }).length === 0 &&
  databases.includes(database);

/** Creates, migrates, furnishes and starts a project; close it in `afterAll`. */
export async function createSite(options: SiteOptions): Promise<Site> {
  const { root, tokens, remove } = await (isFixture(options) ? copySite(options) : furnishSite(options));
  const project = await openProject(root);
  const log: string[] = [];
  const logger = createLogger({
    level: options.logLevel ?? 'warn',
    stream: { write: (line) => void log.push(line) },
  });
  const server = await startServer(root, { overrides: { host: '127.0.0.1', port: 0 }, logger });
  const close = async (): Promise<void> => {
    await server.close();
    await remove();
  };
  return { root, project, server, tokens, log, close };
}
