import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { ContentProject } from '../content/content-project.js';
import { isRecord } from '../../lib/is-record.js';
import { redactUrl } from '../../lib/redact-url.js';

const projectName = async (root: string): Promise<string> => {
  const manifest = await readFile(join(root, 'package.json'), 'utf8')
    .then((text): unknown => JSON.parse(text))
    .catch(() => null);
  return isRecord(manifest) && typeof manifest['name'] === 'string' ? manifest['name'] : basename(root);
};

/**
 * Describes the project and database that a command is about to change: `Project my-site, database
 * postgresql://cms:***@localhost/site`, or the remote server.
 */
export async function describeTarget({ root, config, remote }: ContentProject): Promise<string> {
  if (remote !== undefined) return `Remote ${remote.access.name}, ${remote.access.url}`;
  return `Project ${await projectName(root)}, database ${redactUrl(config.database.url)}`;
}
