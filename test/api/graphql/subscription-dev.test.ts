import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createToken } from '../../../src/access/tokens.js';
import { openProjectDatabase } from '../../../src/project/open/open-database.js';
import { openProject } from '../../../src/project/open/open-project.js';
import { startDev } from '../../../src/project/serve/start-dev.js';
import type { DevEvent, DevServer } from '../../../src/project/serve/start-dev.js';
import { createLogger } from '../../../src/server/logger.js';
import { databases } from '../../support/databases.js';
import { expectMessages, listen } from '../events/event-client.js';
import { createSiteFolder } from '../support/site.js';
import { createSubscriber, expectEvents, waitUntilReceiving } from './support/subscriber.js';
import type { Subscriber } from './support/subscriber.js';

const TAG_FILE = 'src/api/tag/content-types/tag/schema.json';
const RESTART = 1012;

describe.each(databases)('a subscriber of the development server on $name', (database) => {
  let root = '';
  let remove: () => Promise<void>;
  let server: DevServer;
  let key = '';
  const log: string[] = [];
  const events: DevEvent[] = [];
  const open: Subscriber[] = [];
  const subscriber = (): Subscriber => {
    const subscriberClient = createSubscriber({ url: server.url, as: key, retries: 100 });
    open.push(subscriberClient);
    return subscriberClient;
  };
  const editTag = async (change: (attributes: Record<string, unknown>) => void): Promise<DevEvent> => {
    const seen = events.length;
    const schema = JSON.parse(await readFile(join(root, TAG_FILE), 'utf8')) as {
      attributes: Record<string, unknown>;
    };
    change(schema.attributes);
    await writeFile(join(root, TAG_FILE), JSON.stringify(schema, null, 2));
    await expect.poll(() => events.length, { timeout: 30_000, interval: 10 }).toBeGreaterThan(seen);
    return events[events.length - 1] as DevEvent;
  };
  let made = 0;
  const createTag = async (data: Readonly<Record<string, unknown>> = {}): Promise<void> => {
    made += 1;
    const response = await fetch(`${server.url}/api/tags`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ data: { name: `tag ${made}`, ...data } }),
    });
    expect(response.status).toBe(201);
  };

  beforeAll(async () => {
    ({ root, remove } = await createSiteFolder({ project: 'magazine', database }));
    const logger = createLogger({ level: 'warn', stream: { write: (line) => void log.push(line) } });
    server = await startDev(root, {
      overrides: { host: '127.0.0.1', port: 0 },
      logger,
      onEvent: (event) => events.push(event),
    });
    const { context, close } = await openProjectDatabase(await openProject(root));
    key = (await createToken(context, { name: 'dev', type: 'full-access' })).accessKey;
    await close();
  });
  afterAll(async () => {
    for (const each of open) each.close();
    await server.close();
    await remove();
  });

  it('reconnects to the server with the new schema and receives events of it', async () => {
    // It takes servers a moment to accept a new token.
    const requestStatus = async (): Promise<number> =>
      (await fetch(`${server.url}/api/tags`, { headers: { authorization: `Bearer ${key}` } })).status;
    await expect.poll(requestStatus, { timeout: 20_000 }).toBe(200);
    const old = subscriber();
    const named = old.subscribe('subscription { tagCreated { name } }');
    await waitUntilReceiving([named], () => createTag());
    expect(old.closes).toEqual([]);

    expect(
      await editTag((attributes) => {
        attributes['shade'] = { type: 'string' };
      }),
    ).toMatchObject({ kind: 'serving' });
    await expect.poll(() => old.closes, { timeout: 20_000 }).toContain(RESTART);
    const shaded = subscriber().subscribe('subscription { tagCreated { name shade } }');
    await waitUntilReceiving([named, shaded], () => createTag());
    await createTag({ name: 'last', shade: 'dark' });
    await expectEvents(named, [{ tagCreated: { name: 'last' } }]);
    await expectEvents(shaded, [{ tagCreated: { name: 'last', shade: 'dark' } }]);
    expect(named.isComplete).toBe(false);
  });

  it('receives events of changes from both schemas without a gap', async () => {
    const first = listen({ url: server.url, as: key });
    await first.opened;
    await createTag({ name: 'of the old schema' });
    await expectMessages(first, [{ action: 'create', type: 'api::tag.tag' }]);
    expect(
      await editTag((attributes) => {
        attributes['tint'] = { type: 'string' };
      }),
    ).toMatchObject({ kind: 'serving' });
    await expect.poll(() => first.isEnded, { timeout: 20_000 }).toBe(true);
    await createTag({ name: 'of the new schema', tint: 'light' });
    const again = listen({ url: server.url, as: key, lastEventId: first.lastEventId });
    await expectMessages(again, [{ action: 'create', type: 'api::tag.tag' }]);
    again.close();
  });

  it('stays connected if a schema file is invalid', async () => {
    const listening = subscriber();
    const named = listening.subscribe('subscription { tagCreated { name } }');
    await waitUntilReceiving([named], () => createTag());
    expect(
      await editTag((attributes) => {
        attributes['shade'] = { type: 'strin' };
      }),
    ).toMatchObject({ kind: 'failed' });
    await createTag({ name: 'still' });
    await expectEvents(named, [{ tagCreated: { name: 'still' } }]);
    expect(listening.closes).toEqual([]);
    expect(log).toEqual([]);
  });
});
