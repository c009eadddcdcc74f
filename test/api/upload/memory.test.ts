import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { EventEmitter } from 'node:events';
import { stat } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../../support/databases.js';
import { createSite } from '../support/site.js';
import type { Site } from '../support/site.js';

/** A process of its own compiles all sources first, which takes its time on a busy machine. */
const START = 180_000;

const MEGABYTE = 1024 * 1024;
const BOUNDARY = 'xxBOUNDARYxx';
const HEAD = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="files"; filename="large.bin"\r\nContent-Type: application/octet-stream\r\n\r\n`;
const TAIL = `\r\n--${BOUNDARY}--\r\n`;

interface Incoming extends NodeJS.ReadableStream {
  readonly statusCode: number;
}

const next = async <T>(emitter: EventEmitter, event: string): Promise<T> => {
  const [value] = (await once(emitter, event)) as readonly unknown[];
  return value as T;
};

/** Sends one file of that many megabytes, as fast as it is taken. */
const sendLarge = async (url: string, token: string, megabytes: number): Promise<{ readonly status: number; readonly text: string }> => {
  const block = Buffer.alloc(MEGABYTE, 'the same again ');
  const length = HEAD.length + megabytes * MEGABYTE + TAIL.length;
  const sent = request(`${url}/api/upload`, { method: 'POST', headers: { authorization: `Bearer ${token}`, 'content-type': `multipart/form-data; boundary=${BOUNDARY}`, 'content-length': length } });
  const answered = next<Incoming>(sent, 'response');
  sent.write(HEAD);
  for (let index = 0; index < megabytes; index += 1) if (!sent.write(block)) await once(sent, 'drain');
  sent.end(TAIL);
  const response = await answered;
  let text = '';
  for await (const part of response) text += String(part);
  return { status: response.statusCode, text };
};

describe.each(databases.slice(0, 1))('a file of 200 MB', (database) => {
  let site: Site;
  let server: ChildProcess;
  let url: string;
  beforeAll(async () => {
    site = await createSite({ project: 'magazine', database });
    server = fork(fileURLToPath(new URL('support/serve.ts', import.meta.url)), [site.root], { cwd: site.root, execArgv: ['--import', import.meta.resolve('jiti/register')] });
    ({ url } = await next<{ readonly url: string }>(server, 'message'));
  }, START);
  afterAll(async () => {
    const ended = once(server, 'exit');
    server.disconnect();
    await ended;
    await site.close();
  });

  const highest = async (): Promise<number> => {
    const answered = next<{ readonly highest: number }>(server, 'message');
    server.send('memory?');
    return (await answered).highest;
  };

  it('raises the memory of the server by less than 50 MB', async () => {
    const token = site.tokens['full'] ?? '';
    expect((await sendLarge(url, token, 1)).status).toBe(201);
    await sleep(500);
    await highest();
    await sleep(100);
    const before = await highest();
    const { status, text } = await sendLarge(url, token, 200);
    const raised = (await highest()) - before;
    expect(status).toBe(201);
    const [file = { url: '', size: 0 }] = JSON.parse(text) as readonly { readonly url: string; readonly size: number }[];
    expect(file.size).toBe(Math.round((200 * MEGABYTE) / 10) / 100);
    expect((await stat(join(site.project.config.upload.directory, file.url.slice('/uploads/'.length)))).size).toBe(200 * MEGABYTE);
    expect(raised).toBeLessThan(50 * MEGABYTE);
    process.stderr.write(`an upload of 200 MB raised the server's memory by ${(raised / MEGABYTE).toFixed(1)} MB\n`);
  });

  it('is refused above the limit without being kept', async () => {
    await highest();
    const before = await highest();
    const { status } = await sendLarge(url, site.tokens['full'] ?? '', 201);
    expect(status).toBe(413);
    expect((await highest()) - before).toBeLessThan(50 * MEGABYTE);
  });
});
