import { access, constants, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { checkSecrets } from '../../../config/check-secrets.js';
import type { Config } from '../../../config/config.js';
import { loadSharp } from '../../../media/images/load-sharp.js';
import { createProviders } from '../../../media/providers/create-provider.js';
import { broken, ok, warning } from './check.js';
import type { Finding } from './check.js';

const OTHERS = 0o077;
const [LEAST_MAJOR, LEAST_MINOR] = [20, 19];

export async function examineNode(): Promise<readonly Finding[]> {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const isOld = major < LEAST_MAJOR || (major === LEAST_MAJOR && minor < LEAST_MINOR);
  return [isOld ? broken('node', `Node ${process.versions.node} is too old.`, `Install Node ${LEAST_MAJOR}.${LEAST_MINOR} or newer.`) : ok('node', `Node ${process.versions.node}`)];
}

const examineEnvFile = async ({ root }: Config): Promise<readonly Finding[]> => {
  const file = await stat(join(root, '.env')).catch(() => null);
  if (file === null || process.platform === 'win32' || (file.mode & OTHERS) === 0) return [];
  return [warning('secrets', 'Other users of this machine can read .env.', 'Run: chmod 600 .env')];
};

/** Weak secrets stop a production server, and only disturb a development one. */
export async function examineSecrets(config: Config, isProduction: boolean): Promise<readonly Finding[]> {
  const problems = checkSecrets(config);
  const report = isProduction ? broken : warning;
  const found = problems.map(({ name, problem }) => report('secrets', `${name} is ${problem}.`, `Put a long random value into .env, for example from: openssl rand -base64 32`));
  return [...(found.length === 0 ? [ok('secrets', 'JWT_SECRET and API_TOKEN_SALT are set')] : found), ...(await examineEnvFile(config))];
}

const TALKATIVE: ReadonlySet<string> = new Set(['debug', 'trace']);

/** What is fine while developing, and not for a server that strangers reach. */
export function examineProduction({ rateLimit, environment, logLevel, server, plugins }: Config): readonly Finding[] {
  const findings: Finding[] = [];
  const note = (message: string, remedy: string): void => {
    findings.push(warning('production', message, remedy));
  };
  if (!rateLimit) note('CMS_RATE_LIMIT is off: passwords can be guessed without limit.', 'Take CMS_RATE_LIMIT out of the environment and .env.');
  if (environment !== 'production') note(`NODE_ENV is ${environment}.`, 'Take NODE_ENV out of the environment and .env, or set it to production.');
  if (TALKATIVE.has(logLevel)) note(`LOG_LEVEL is ${logLevel}, which costs time at every request.`, 'Set LOG_LEVEL to info, or take it out.');
  if (plugins['graphql']?.config['playgroundAlways'] === true) note('The GraphQL playground is open to everybody.', 'Take playgroundAlways out of plugins.graphql.config.');
  if (server.cors.origin === '*') note('Pages of any origin may call the API.', 'List your own in server.cors.origin.');
  return findings.length === 0 ? [ok('production', 'Fit for production')] : findings;
}

/** Images are stored without it, so that nothing is broken. */
export async function examineImages(): Promise<readonly Finding[]> {
  const { fault } = await loadSharp();
  return [fault === null ? ok('images', 'Images can be opened') : warning('images', fault.message, fault.hint ?? '')];
}

/** Throws `upload/missing-package`. */
const examineStore = async (upload: Config['upload']): Promise<readonly Finding[]> => {
  await createProviders(upload);
  return [ok('uploads', `Files go to the bucket ${upload.s3.bucket}`)];
};

export async function examineUploads({ root, upload }: Config): Promise<readonly Finding[]> {
  if (upload.provider === 's3') return examineStore(upload);
  const place = relative(root, upload.directory);
  const folder = await stat(upload.directory).catch(() => null);
  if (folder === null || !folder.isDirectory()) return [broken('uploads', `The folder ${place} is missing.`, `Run: mkdir -p ${place}`)];
  const isWritable = await access(upload.directory, constants.W_OK).then(() => true, () => false);
  return [isWritable ? ok('uploads', `${place} can be written`) : broken('uploads', `${place} cannot be written.`, `Give the server's user the right to write ${place}.`)];
}
