import type { Config } from '../../config/config.js';

interface Site {
  readonly database: Pick<Config['database'], 'url'>;
  readonly upload: Pick<Config['upload'], 'provider'>;
}

/** Of each pool, besides one connection that listens for changes and one for subscriptions. */
const CONNECTIONS_PER_PROCESS = 18;

/**
 * Returns the checks that no command can run and that somebody has to make before a site is public.
 * docs/deployment.md has the same list.
 */
export function thingsToCheck({ database, upload }: Site): readonly string[] {
  return [
    'A proxy with a certificate stands in front, and server.proxy says so.',
    'A service manager starts the server after a reboot, and again if it fails.',
    'Something watches /_health, /_ready and the log, and tells somebody.',
    'Backups of the database and of uploaded files are made, and restoring one was tried.',
    'JWT_SECRET and API_TOKEN_SALT are kept where a lost machine does not take them along.',
    ...(database.url.startsWith('file:')
      ? []
      : [`PostgreSQL allows ${CONNECTIONS_PER_PROCESS} connections (max_connections) for each process.`]),
    ...(upload.provider === 's3'
      ? []
      : ['One machine serves, or uploaded files are where all machines see them (S3).']),
  ];
}
