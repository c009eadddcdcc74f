import { createReadStream } from 'node:fs';
import { createServer } from 'node:http';
import type { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { ExampleState } from './example-states.js';

/** A remote server that says what it is. */
const ABOUT = {
  version: '1.0.0',
  token: { name: 'laptop', type: 'full-access', expiresAt: null },
  locales: [{ code: 'en', isDefault: true }],
  limits: { page: 100, bulk: 1000 },
  schemas: {},
};

/** The responses of the server to operations, by path. */
const RESULTS: Readonly<Record<string, unknown>> = {
  '/api/cms/permissions/preview': { before: '', after: '' },
};

/** Somebody has made a token on a server, and named the server. */
const nameRemote = async (
  { cms, write }: Pick<Parameters<NonNullable<ExampleState['prepare']>>[0], 'cms' | 'write'>,
  sendArchive: (response: ServerResponse) => void,
): Promise<void> => {
  const server = createServer((request, response) => {
    if (request.url?.includes('/archive') === true) sendArchive(response);
    else response.end(JSON.stringify({ data: RESULTS[request.url ?? ''] ?? ABOUT }));
  });
  const port = await new Promise<number>((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
  server.unref();
  write({ 'token.txt': 'a-token' });
  await cms(`cms remote add production http://127.0.0.1:${port} --token-file token.txt`);
};

const WITH_REMOTE: ExampleState = {
  prepare: (site) => nameRemote(site, (response) => response.writeHead(403).end()),
};

/** The remote server allows transfers, and has the same content. */
const WITH_TRANSFERS: ExampleState = {
  prepare: async ({ cms, root, write }) => {
    await cms('cms export there.tar.gz');
    await nameRemote({ cms, write }, (response) => {
      response.writeHead(200, { 'content-type': 'application/gzip' });
      createReadStream(join(root, 'there.tar.gz')).pipe(response);
    });
  },
};

/** What the examples of commands about remote servers need. */
export const REMOTE_STATES: Readonly<Record<string, ExampleState>> = {
  'cms remote add production https://cms.example.com --token-file token.txt --no-check': {
    prepare: ({ write }) => write({ 'token.txt': 'a-token' }),
  },
  'cms api /articles --paginate --remote production': WITH_REMOTE,
  'cms permissions diff --remote production': WITH_REMOTE,
  'cms remote check production': WITH_REMOTE,
  'cms remote list': WITH_REMOTE,
  'cms transfer --from production --dry-run': WITH_TRANSFERS,
  'cms transfer --from production --type article --exclude config --yes': WITH_TRANSFERS,
  'cms remote remove production': WITH_REMOTE,
};
