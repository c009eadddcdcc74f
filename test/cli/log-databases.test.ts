import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { userInfo } from 'node:os';
import { createInterface } from 'node:readline';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import ContentCreate from '../../src/commands/content/create.js';
import Export from '../../src/commands/export.js';
import Import from '../../src/commands/import.js';
import Log from '../../src/commands/log.js';
import Migrate from '../../src/commands/migrate.js';
import MigrateDown from '../../src/commands/migrate/down.js';
import RemoteAdd from '../../src/commands/remote/add.js';
import TokenCreate from '../../src/commands/token/create.js';
import { databases } from '../support/databases.js';
import { openProjectDatabase } from '../../src/project/open/open-database.js';
import { openProject } from '../../src/project/open/open-project.js';
import { binaryPath, plainEnvironment } from './support/binary.js';
import { createSharedSite, SECRETS, typeFile } from './support/migrated-project.js';
import { runCommand } from './support/run-command.js';
import { startProcess } from './support/server-process.js';
import type { TempProject } from './support/temp-project.js';

type Entry = Readonly<Record<string, unknown>>;
type Command = Parameters<typeof runCommand>[0];

/** Requests of the clients before the server is killed, and how many of them run at a time. */
const ACKNOWLEDGED = 40;
const CLIENTS = 6;

describe.each(databases)('cms log on $name', ({ create }) => {
  let site: TempProject;
  const run = async (command: Command, ...argv: readonly string[]) => {
    const result = await runCommand(command, argv, { cwd: site.root });
    expect(result).toMatchObject({ exitCode: 0 });
    return result;
  };
  const log = async (...argv: readonly string[]): Promise<readonly Entry[]> =>
    (await run(Log, ...argv, '--json')).json<{ readonly entries: readonly Entry[] }>().entries;

  beforeAll(async () => {
    const { url } = await create();
    site = await createSharedSite({ '.env': `${SECRETS}DATABASE_URL=${url}\n` });
  });

  it('names the account of the shell and the command', async () => {
    const created = await run(ContentCreate, 'tag', '--set', 'title=Salt', '--json');
    const { documentId } = created.json<{ readonly document: { readonly documentId: string } }>().document;
    await run(TokenCreate, '--name', 'ci', '--type', 'full-access');
    const shell = { kind: 'shell', who: userInfo().username, via: 'command', address: null };
    expect(await log('--limit', '2')).toMatchObject([
      { ...shell, source: 'token create', action: 'tokens.create', target: 'ci' },
      { ...shell, source: 'content create', action: 'create', documentId, attributes: ['title'] },
    ]);
    expect(await log('--document', `tag/${documentId}`)).toHaveLength(1);
    expect(await log('--type', 'article')).toEqual([]);
    expect(await log('--who', 'nobody')).toEqual([]);
    expect((await log('--since', '1h', '--action', 'create')).length).toBe(1);
    const { stdout } = await run(Log, '--limit', '1');
    expect(stdout).toContain(`shell ${userInfo().username}`);
    const invalid = await runCommand(Log, ['--since', 'soon', '--json'], { cwd: site.root });
    expect(invalid.json()).toMatchObject({ error: { code: 'cli/invalid-usage' } });
  });

  it('has imports with their number of documents, and migrations', async () => {
    await run(Export, 'content.tar.gz');
    await run(Import, 'content.tar.gz', '--existing', 'replace', '--yes', '--accept-data-loss');
    expect((await log('--limit', '2')).toReversed()).toMatchObject([
      { action: 'import.start', source: 'import' },
      { action: 'import', source: 'import', details: { documents: { 'api::tag.tag': 1 } } },
    ]);
    site.write(typeFile('note'));
    await run(Migrate, '--yes');
    const [applied] = await log('--limit', '1');
    expect(applied).toMatchObject({ action: 'migrations.apply', source: 'migrate', kind: 'shell' });
    await run(MigrateDown, '--yes', '--accept-data-loss');
    await run(Migrate, '--yes');
    expect(await log('--limit', '2')).toMatchObject([
      { action: 'migrations.apply', target: applied?.['target'] },
      { action: 'migrations.revert', target: applied?.['target'], source: 'migrate down' },
    ]);
  });

  it('has exactly the writes of a server that was killed, and follows a remote server', async () => {
    const server = await startProcess(['start', '--port', '0'], { cwd: site.root });
    const { stdout } = await run(TokenCreate, '--name', 'load', '--type', 'full-access');
    const token = stdout.trim();
    await runCommand(RemoteAdd, ['live', server.url, '--token', '-'], {
      cwd: site.root,
      stdin: `${token}\n`,
    });
    const argv = ['log', '--follow', '--json', '--remote', 'live', '--type', 'tag'];
    const follower = spawn(process.execPath, [binaryPath, ...argv], {
      cwd: site.root,
      env: plainEnvironment(),
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    onTestFinished(() => void follower.kill());
    let followed: string | null = null;
    void once(createInterface({ input: follower.stdout }), 'line').then(([line]: string[]) => {
      followed = line ?? '';
    });
    const acknowledged: string[] = [];
    let isKilled = false;
    const write = async (client: number): Promise<void> => {
      for (let index = 0; !isKilled; index += 1) {
        const response = await fetch(`${server.url}/api/tags`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
          body: JSON.stringify({ data: { title: `${client} ${index}` } }),
        });
        const { data } = (await response.json()) as { readonly data: { readonly documentId: string } };
        acknowledged.push(data.documentId);
        if (acknowledged.length < ACKNOWLEDGED || followed === null || isKilled) continue;
        isKilled = true;
        server.signal('SIGKILL');
      }
    };
    const clients = Array.from({ length: CLIENTS }, (_, client) => write(client));
    for (const outcome of await Promise.allSettled(clients))
      if (outcome.status === 'rejected' && !isKilled) throw outcome.reason;
    await server.ended;
    expect(JSON.parse(followed ?? '{}')).toMatchObject({ action: 'create', who: 'load', via: 'rest' });
    const { database, close } = await openProjectDatabase(await openProject(site.root));
    const [logged, stored] = await database.transact(async (tx) => [
      await tx.query(`SELECT "document_id" FROM "cms_log" WHERE "who" = 'load' AND "action" = 'create'`, []),
      await tx.query(`SELECT "document_id" FROM "tags_documents"`, []),
    ]);
    await close();
    const idsOf = (rows: typeof logged = []) => rows.map((row) => String(row['document_id'])).toSorted();
    const salt = await log('--action', 'create', '--who', userInfo().username);
    const ids = idsOf(stored).filter((id) => !salt.some(({ documentId }) => documentId === id));
    expect(idsOf(logged)).toEqual(ids);
    expect(idsOf(logged)).toEqual(expect.arrayContaining(acknowledged));
    expect(acknowledged.length).toBeGreaterThanOrEqual(ACKNOWLEDGED);
  });
});
