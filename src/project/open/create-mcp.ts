import { createHmac, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { FastifyPluginAsync } from 'fastify';
import { identityOf } from '../../access/access.js';
import { logRequestError } from '../../api/http/request-lifecycle.js';
import { createMcpPlugin } from '../../api/mcp/mcp-plugin.js';
import type {
  DocsPage,
  McpAbilities,
  McpServices,
  McpSession,
  SchemaEditor,
  Registrations,
} from '../../api/mcp/mcp-services.js';
import type { CustomRoute } from '../../api/openapi/create-document.js';
import { servesMcp } from '../../config/config.js';
import type { Config } from '../../config/config.js';
import type { ModuleLoader } from '../../config/module-loader.js';
import type { Logger } from '../../server/logger.js';
import { toGalleyError } from '../../server/request-errors.js';
import { checkContent, checkedTypes } from '../check-content.js';
import { createOpenapiDocument } from '../openapi-document.js';
import { PACKAGE_ROOT, packageVersion } from '../package-manifest.js';
import { appMediaStores } from './content-stores.js';
import { createDryRun } from './open-services.js';
import type { AppServices } from './open-services.js';

/** The pages of docs/ that clients can read, with their titles. */
const DOCS: Readonly<Record<string, string>> = {
  project: 'Projects',
  'content-types': 'Content-types',
  content: 'Content',
  'content-api': 'Content API',
  access: 'Access',
  media: 'Media',
  migrations: 'Migrations',
  configuration: 'Configuration',
  agents: 'Agents',
  'command-line': 'Command line',
};

const docsPages = (): readonly DocsPage[] =>
  Object.entries(DOCS).map(([name, title]) => ({
    name,
    title,
    read: () => readFile(join(PACKAGE_ROOT, 'docs', `${name}.md`), 'utf8'),
  }));

const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', '::1', 'localhost']);

const hostOf = (url: string): readonly string[] => (URL.canParse(url) ? [new URL(url).hostname] : []);

/** Returns the names under which clients and pages may call the endpoint. */
const trustedHosts = ({ server: { host, url = '', cors, proxy }, environment }: Config) => {
  const isLocal = environment === 'development' && LOOPBACK.has(host) && proxy === false;
  const pages = Array.isArray(cors.origin) ? cors.origin.flatMap(hostOf) : [];
  return { hosts: isLocal ? hostOf(url) : null, origins: [...hostOf(url), ...pages] };
};

/** Secrets sign confirmations, so that all processes accept them. Without one, each process has its own. */
const signingKeyOf = ({ secrets }: Config): string => {
  const secret = secrets.apiTokenSalt ?? secrets.jwtSecret;
  return secret === null
    ? randomBytes(32).toString('hex')
    : createHmac('sha256', secret).update('mcp').digest('hex');
};

/** Maximum number of findings of one rule that a check returns. All are counted. */
const MAX_FINDINGS = 1000;

/** The parts of an app's project code that tools use. */
interface ProjectCodeParts {
  readonly routes: () => readonly CustomRoute[];
  readonly loader: ModuleLoader;
  readonly registrations: Registrations;
}

/** Returns the services that the tools call. */
export function createMcpServices(
  services: Pick<AppServices, 'opened' | 'access' | 'documents' | 'media'>,
  { routes, loader, registrations }: ProjectCodeParts,
): McpServices {
  const { access, documents, media, opened } = services;
  const { project } = opened;
  const { config, definitions, model } = project;
  const stores = appMediaStores({ project, database: opened.database, access, documents, media });
  const { prefix: _prefix, maxBulk, ...limits } = config.api.rest;
  return {
    actAs: (caller, client, work) => {
      const { actors } = opened.log;
      const present = actors.current();
      const identity = identityOf(access, caller);
      const isOfShell = identity.who === null && present.kind === 'shell';
      const source = client ?? present.source;
      return actors.run({ ...present, ...(isOfShell ? {} : identity), via: 'mcp', source }, work);
    },
    model,
    definitions,
    documents,
    dryRun: createDryRun(services),
    media,
    access,
    limits,
    maxBulk,
    sizeLimit: config.upload.sizeLimit,
    openapi: () => createOpenapiDocument(project, routes()),
    registrations,
    checkContent: ({ type, ...scope }) => {
      const types = type === null ? checkedTypes(project) : [type];
      return checkContent(project, { ...stores, loader }, { ...scope, types, maxFindings: MAX_FINDINGS });
    },
    signingKey: signingKeyOf(config),
  };
}

/** Returns the parts of a session that all clients of a project share. */
export function mcpSessionOf(
  { config, root }: { readonly config: Config; readonly root: string },
  logger: Pick<Logger, 'error' | 'warn' | 'debug'>,
  abilities: Partial<McpAbilities>,
): Omit<McpSession, 'run'> {
  const { allowDelete, maxTokens } = config.mcp;
  return {
    server: { name: `galley-${basename(root)}`, version: packageVersion() },
    abilities: { deletes: allowDelete, maxTokens, uploadFolder: null, schemas: null, ...abilities },
    docs: docsPages(),
    reportError: (thrown) => {
      const error = toGalleyError(thrown);
      logRequestError(logger, error);
      return error;
    },
    onRejected: ({ message }) => logger.debug(message),
  };
}

/** Returns the plugin of the endpoint, if the project enables it. */
export function createMcpPlugins(
  { opened }: Pick<AppServices, 'opened'>,
  services: McpServices,
  { logger, schemas }: { readonly logger: Logger; readonly schemas: SchemaEditor | null },
): readonly FastifyPluginAsync[] {
  const { config } = opened.project;
  if (!servesMcp(config)) return [];
  const session = mcpSessionOf(opened.project, logger, { schemas });
  return [createMcpPlugin({ ...session, ...trustedHosts(config), services })];
}
