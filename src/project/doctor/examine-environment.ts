import type { Finding } from '../../api/administration/operation.js';
import { execFile } from 'node:child_process';
import { access, constants, readdir, stat } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { createWebhookRegistry } from '../../api/webhooks/webhook-registry.js';
import { receivesTags } from '../../api/webhooks/webhook.js';
import { checkSecrets } from '../../config/check-secrets.js';
import type { Config } from '../../config/config.js';
import { emailSettings } from '../../config/email-settings.js';
import type { ReadConnection } from '../../database/dialect/database-driver.js';
import type { PrimaryState, ReplicaState } from '../../database/dialect/dialect.js';
import { getDialect } from '../../database/get-dialect.js';
import { replicaProblem } from '../../database/read-replicas.js';
import { redactUrl } from '../../lib/text.js';
import { loadSharp } from '../../media/images/image-library.js';
import { createProviders } from '../../media/providers.js';
import { DATABASE_SUFFIXES, listCopies } from '../../migrations/undo/database-copies.js';
import { DEFAULT_BACKUP_FOLDER, isArchiveName } from '../archives/backups.js';
import type { Project } from '../open/open-project.js';
import { withAccess } from '../open/open-database.js';
import { failed, ok, runCheck, warning } from './check.js';

const GROUP_AND_OTHERS_MODE = 0o077;
const MAX_LISTING_BYTES = 64 * 1024 * 1024;
const [MIN_NODE_MAJOR, MIN_NODE_MINOR] = [20, 19];

export async function examineNode(): Promise<readonly Finding[]> {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const isOld = major < MIN_NODE_MAJOR || (major === MIN_NODE_MAJOR && minor < MIN_NODE_MINOR);
  return [
    isOld
      ? failed(
          'node',
          `Node ${process.versions.node} is too old.`,
          `Install Node ${MIN_NODE_MAJOR}.${MIN_NODE_MINOR} or newer.`,
        )
      : ok('node', `Node ${process.versions.node}`),
  ];
}

const namesIn = async (folder: string): Promise<readonly string[]> => readdir(folder).catch(() => []);

const execFileAsync = promisify(execFile);

/** Returns the paths of all files that git tracks below a folder; none outside of a repository. */
const listTracked = async (root: string): Promise<readonly string[]> => {
  try {
    const { stdout } = await execFileAsync('git', ['ls-files', '-z'], {
      cwd: root,
      maxBuffer: MAX_LISTING_BYTES,
    });
    return stdout.split('\0').filter((path) => path !== '');
  } catch {
    return [];
  }
};

/** Paths of files that hold secrets, content or hashes of passwords. Some may not exist. */
const findPrivateFiles = async ({ root, database }: Config): Promise<readonly string[]> => {
  const { undo } = getDialect(database.provider).migrations;
  const file = undo.kind === 'database' ? undo.path(database.url) : null;
  const archives = await Promise.all(
    [root, join(root, DEFAULT_BACKUP_FOLDER)].map(async (folder) =>
      (await namesIn(folder)).filter(isArchiveName).map((name) => join(folder, name)),
    ),
  );
  return [
    join(root, '.env'),
    ...(file === null ? [] : [...DATABASE_SUFFIXES.map((suffix) => file + suffix), ...listCopies(file)]),
    ...archives.flat(),
  ];
};

/** Warns of private files that other users can read, such as those of older releases. */
const examinePrivateFiles = async (config: Config): Promise<readonly Finding[]> => {
  if (process.platform === 'win32') return [];
  const readable: string[] = [];
  for (const path of await findPrivateFiles(config)) {
    const file = await stat(path).catch(() => null);
    if (file !== null && (file.mode & GROUP_AND_OTHERS_MODE) !== 0)
      readable.push(relative(config.root, path));
  }
  if (readable.length === 0) return [];
  return [
    warning(
      'secrets',
      `Other users of this machine can read ${readable.join(', ')}.`,
      `Run: chmod 600 ${readable.join(' ')}`,
    ),
  ];
};

/**
 * Warns of files with secrets, content or hashes of passwords that git tracks: everybody with the repository
 * has them, also after they are deleted.
 */
export async function examineRepository({ root, database }: Config): Promise<readonly Finding[]> {
  const { undo } = getDialect(database.provider).migrations;
  const file = undo.kind === 'database' ? relative(root, undo.path(database.url)) : null;
  const isPrivate = (path: string): boolean =>
    path === '.env' || path === file || isArchiveName(basename(path));
  const tracked = (await listTracked(root)).filter(isPrivate);
  return tracked.map((path) =>
    warning(
      'repository',
      `git tracks ${path}, which contains ${path === '.env' ? 'secrets' : 'content and password hashes'}.`,
      `Run: git rm --cached ${path}, add it to .gitignore, and remove it from the history of the repository.`,
    ),
  );
}

/** Weak secrets are an error in production, where the server does not start, and otherwise a warning. */
export async function examineSecrets(config: Config, isProduction: boolean): Promise<readonly Finding[]> {
  const problems = checkSecrets(config);
  const createFinding = isProduction ? failed : warning;
  const secretFindings = problems.map(({ name, problem }) =>
    createFinding(
      'secrets',
      `${name} is ${problem}.`,
      `Put a long random value into .env, for example from: openssl rand -base64 32`,
    ),
  );
  return [
    ...(secretFindings.length === 0
      ? [ok('secrets', 'JWT_SECRET and API_TOKEN_SALT are set')]
      : secretFindings),
    ...(await examinePrivateFiles(config)),
  ];
}

const VERBOSE_LOG_LEVELS: ReadonlySet<string> = new Set(['debug', 'trace']);

interface Rule {
  readonly isBroken: boolean;
  readonly message: string;
  readonly remedy: string;
}

/** Returns the rules against settings for development. */
const settingsRules = ({ rateLimit, environment, logLevel, plugins }: Config): readonly Rule[] => [
  {
    isBroken: !rateLimit,
    message: 'CMS_RATE_LIMIT is off: passwords can be guessed without limit.',
    remedy: 'Remove CMS_RATE_LIMIT from the environment and .env.',
  },
  {
    isBroken: environment !== 'production',
    message: `NODE_ENV is ${environment}.`,
    remedy: 'Remove NODE_ENV from the environment and .env, or set it to production.',
  },
  {
    isBroken: VERBOSE_LOG_LEVELS.has(logLevel),
    message: `LOG_LEVEL is ${logLevel}, which slows down every request.`,
    remedy: 'Set LOG_LEVEL to info, or remove it.',
  },
  {
    isBroken: plugins['graphql']?.config['playgroundAlways'] === true,
    message: 'The GraphQL playground is open to everybody.',
    remedy: 'Remove playgroundAlways from plugins.graphql.config.',
  },
];

/** Returns the rules for public servers: settings that they need, and settings that disclose data. */
const publicRules = (config: Config): readonly Rule[] => {
  const { server, metrics } = config;
  return [
    {
      isBroken: server.cors.origin === '*',
      message: 'Pages of any origin can call the API.',
      remedy: 'List the allowed origins in server.cors.origin.',
    },
    {
      isBroken: server.url === '',
      message: 'Links in e-mails and sign-in redirects contain the host and port.',
      remedy: 'Set PUBLIC_URL or server.url to the public address of the server.',
    },
    {
      isBroken: emailSettings(config).transport === 'none',
      message: 'E-mails are not sent, so users cannot reset a lost password.',
      remedy: 'Set plugins.email.config.providerOptions to a Nodemailer transport.',
    },
    {
      isBroken: metrics?.token === '',
      message: `The metrics at ${metrics?.path ?? ''} are public.`,
      remedy: 'Set metrics.token, or block the path in the proxy.',
    },
  ];
};

/** Warns about settings that are unsuitable for a public server. */
export function examineProduction(config: Config): readonly Finding[] {
  const broken = [...settingsRules(config), ...publicRules(config)].filter(({ isBroken }) => isBroken);
  return broken.length === 0
    ? [ok('production', 'The settings suit production')]
    : broken.map(({ message, remedy }) => warning('production', message, remedy));
}

/** A missing sharp is a warning, since images are then stored unchanged. */
export async function examineImages(): Promise<readonly Finding[]> {
  const { error: loadError } = await loadSharp();
  return [
    loadError === null
      ? ok('images', 'Images can be resized')
      : warning('images', loadError.message, loadError.hint ?? ''),
  ];
}

/** @throws `upload/missing-package` */
const examineBucket = async (upload: Config['upload']): Promise<readonly Finding[]> => {
  await createProviders(upload);
  return [ok('uploads', `Files are stored in the bucket ${upload.s3.bucket}`)];
};

export async function examineUploads({ root, upload }: Config): Promise<readonly Finding[]> {
  if (upload.provider === 's3') return examineBucket(upload);
  const relativePath = relative(root, upload.directory);
  const folder = await stat(upload.directory).catch(() => null);
  if (folder === null || !folder.isDirectory())
    return [failed('uploads', `The folder ${relativePath} is missing.`, `Run: mkdir -p ${relativePath}`)];
  const isWritable = await access(upload.directory, constants.W_OK).then(
    () => true,
    () => false,
  );
  return [
    isWritable
      ? ok('uploads', `${relativePath} is writable`)
      : failed(
          'uploads',
          `${relativePath} is not writable.`,
          `Grant the server's user write access to ${relativePath}.`,
        ),
  ];
}

const KILOBYTE = 1024;
/** The lag, in bytes, of a replica in the same network after a burst of writes. */
const MANY_BYTES = 16 * KILOBYTE * KILOBYTE;

const readState = async <State>(
  connection: ReadConnection,
  sql: string,
  parameters: readonly string[],
): Promise<State> => {
  const [text] = await connection.queryTexts(sql, parameters);
  return JSON.parse(text ?? 'null') as State;
};

const describeReplica = (name: string, primary: PrimaryState, state: ReplicaState): Finding => {
  const problem = replicaProblem(primary, state);
  if (problem !== null)
    return warning(
      'replicas',
      `The replica ${name} is not used: ${problem}`,
      'Correct database.replicas or DATABASE_REPLICAS.',
    );
  if (state.missingBytes === 0) return ok('replicas', `The replica ${name} is up to date`);
  const age = state.seconds === null ? '' : `; its last transaction is ${Math.round(state.seconds)} s old`;
  const lag = `The replica ${name} is ${Math.ceil(state.missingBytes / KILOBYTE)} kB behind${age}`;
  return state.missingBytes < MANY_BYTES
    ? ok('replicas', lag)
    : warning('replicas', `${lag}.`, "Check pg_stat_replication on the primary, and the replica's log.");
};

/** Checks the lag of replicas. A failed replica is a warning, since reads then use the primary. */
export async function examineReplicas({ config, dialect }: Project): Promise<readonly Finding[]> {
  const { url, replicas, directUrl } = config.database;
  const { driver, replication } = dialect;
  if (replicas.length === 0 || replication === null) return [];
  const primary = await driver.openReadConnection(directUrl || url);
  try {
    const written = await readState<PrimaryState>(primary, replication.primarySql, []);
    return await Promise.all(
      replicas.map(async (replica) => {
        const name = redactUrl(replica);
        const [finding] = await runCheck('replicas', config.root, async () => {
          const connection = await driver.openReadConnection(replica);
          try {
            const state = await readState<ReplicaState>(connection, replication.replicaSql, [
              written.position,
            ]);
            return [describeReplica(name, written, state)];
          } finally {
            await connection.close();
          }
        });
        return finding?.status === 'error'
          ? warning(
              'replicas',
              `The replica ${name} does not respond: ${finding.message}`,
              'Start it, or remove it from database.replicas. Until then, reads use the primary.',
            )
          : (finding ?? ok('replicas', name));
      }),
    );
  } finally {
    await primary.close();
  }
}

/** Warns of missing full-text indexes, without which searches scan all documents of the type. */
export async function examineSearch({ model, dialect, config }: Project): Promise<readonly Finding[]> {
  const searched = model.types.filter(({ search }) => search !== null);
  if (searched.length === 0) return [];
  const connection = await dialect.driver.openReadConnection(config.database.url);
  try {
    const { search } = connection.expressions;
    const existing = new Set(await connection.queryTexts(search.indexesSql, []));
    return searched
      .filter((type) => type.search !== null && !existing.has(search.nameOf(type.search)))
      .map(({ uid }) =>
        warning(
          'database',
          `Searches of ${uid} scan every document: the full-text index is missing.`,
          'Run: cms migrate. On PostgreSQL, its role needs the right to install the extension pg_trgm.',
        ),
      );
  } finally {
    await connection.close();
  }
}

/** The time in seconds for which shared caches may send stale responses without a warning. */
const MAX_UNPURGED = 10;

/** Warns of times for shared caches that nothing empties when content changes. */
export async function examineSharedCaches(project: Project): Promise<readonly Finding[]> {
  const { config } = project;
  const longest = Math.max(0, ...Object.values(config.cache.control).map(({ sMaxAge = 0 }) => sMaxAge));
  if (longest === 0) return [];
  const webhooks = await withAccess(project, ({ database }) =>
    createWebhookRegistry(database, config).current(),
  );
  return [
    ...(config.cache.tags.length > 0
      ? []
      : [
          warning(
            'cache',
            'cache.control sets sMaxAge, which responses without tags omit.',
            "Set cache.tags: ['Cache-Tag'] in cms.config.",
          ),
        ]),
    ...(longest <= MAX_UNPURGED || webhooks.some(receivesTags)
      ? []
      : [
          warning(
            'cache',
            'cache.control sets sMaxAge, but no webhook purges shared caches.',
            'Run: cms webhook add <name> <url> --event cache.purge. See docs/caching.md.',
          ),
        ]),
  ];
}
