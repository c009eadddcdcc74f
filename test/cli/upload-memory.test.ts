import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { EventEmitter } from 'node:events';
import { readdir, stat } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { HeadObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { describe, expect, it, onTestFinished } from 'vitest';
import TokenCreate from '../../src/commands/token/create.js';
import { BUCKET, CREDENTIALS, startStore } from '../api/upload/support/s3-server.js';
import { binaryPath, plainEnvironment } from './support/binary.js';
import { createMigratedSite } from './support/migrated-project.js';
import { runCommand } from './support/run-command.js';

const MEGABYTE = 1024 * 1024;
const MOST = 50 * MEGABYTE;
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
const sendLarge = async (url: string, key: string, megabytes: number): Promise<{ readonly status: number; readonly text: string }> => {
  const block = Buffer.alloc(MEGABYTE, 'the same again ');
  const length = HEAD.length + megabytes * MEGABYTE + TAIL.length;
  const sent = request(`${url}/api/upload`, { method: 'POST', headers: { authorization: `Bearer ${key}`, 'content-type': `multipart/form-data; boundary=${BOUNDARY}`, 'content-length': length } });
  const answered = next<Incoming>(sent, 'response');
  sent.write(HEAD);
  for (let index = 0; index < megabytes; index += 1) if (!sent.write(block)) await once(sent, 'drain');
  sent.end(TAIL);
  const response = await answered;
  let text = '';
  for await (const part of response) text += String(part);
  return { status: response.statusCode, text };
};

/** Where the files go. */
interface Place {
  /** What cms.config exports. */
  readonly config: Readonly<Record<string, unknown>>;
  readonly sizeOf: (root: string, url: string) => Promise<number>;
  readonly count: (root: string) => Promise<number>;
  readonly remove: () => Promise<void>;
}

const uploads = (root: string): string => join(root, 'public', 'uploads');

const inFolder = async (): Promise<Place> => ({
  config: {},
  sizeOf: async (root, url) => (await stat(join(uploads(root), url.slice('/uploads/'.length)))).size,
  count: async (root) => (await readdir(uploads(root))).filter((name) => name.endsWith('.bin')).length,
  remove: async () => undefined,
});

const inS3 = async (): Promise<Place> => {
  const store = await startStore();
  const client = new S3Client({ endpoint: store.endpoint, region: 'us-east-1', forcePathStyle: true, credentials: { ...CREDENTIALS } });
  return {
    config: { upload: { provider: 's3', s3: store.settings } },
    sizeOf: async (_root, url) => (await client.send(new HeadObjectCommand({ Bucket: BUCKET, Key: url.split('/').at(-1) ?? '' }))).ContentLength ?? 0,
    count: async () => (await store.keys()).length,
    remove: async () => {
      client.destroy();
      await store.remove();
    },
  };
};

interface Server {
  readonly url: string;
  /** The most memory it has taken since it was last asked. */
  readonly highest: () => Promise<number>;
}

/** The built server in a process of its own that tells how much memory it takes, ended when the test is. */
const startServer = async (root: string): Promise<Server> => {
  const preload = new URL('support/tell-memory.mjs', import.meta.url).href;
  const child = fork(binaryPath, ['start', '--port', '0'], { cwd: root, env: plainEnvironment(), execArgv: ['--import', preload], silent: true });
  const ended = once(child, 'exit');
  onTestFinished(async () => {
    child.kill('SIGTERM');
    await ended;
  });
  let said = '';
  child.stderr?.on('data', (text: Buffer) => {
    said += String(text);
  });
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout?.on('data', (text: Buffer) => resolve(String(text).trim()));
    child.on('exit', (code) => reject(new Error(`The server ended with ${code}: ${said}`)));
  });
  return {
    url,
    highest: async () => {
      const answered = next<{ readonly highest: number }>(child, 'message');
      child.send('memory?');
      return (await answered).highest;
    },
  };
};

/** Starting, and two hundred megabytes twice, on a machine that is busy otherwise. */
const PATIENCE = 240_000;

describe('a file of 200 MB', () => {
  it.each([['a folder', inFolder], ['an S3-compatible store', inS3]] as const)('on its way to %s raises the memory of the server by less than 50 MB, and one above the limit is not kept', async (name, open) => {
    const place = await open();
    onTestFinished(place.remove);
    const site = await createMigratedSite();
    site.write({ 'cms.config.js': `export default ${JSON.stringify(place.config)};` });
    const key = (await runCommand(TokenCreate, ['--name', 'ci', '--type', 'full-access'], { cwd: site.root })).stdout.trim();
    const { url, highest } = await startServer(site.root);
    // What an upload needs, also one in parts, is loaded by then.
    expect((await sendLarge(url, key, 12)).status).toBe(201);
    await highest();
    const start = await highest();
    const { status, text } = await sendLarge(url, key, 200);
    const raised = (await highest()) - start;
    expect(status).toBe(201);
    const [file = { url: '', size: 0 }] = JSON.parse(text) as readonly { readonly url: string; readonly size: number }[];
    expect(file.size).toBe(Math.round((200 * MEGABYTE) / 10) / 100);
    expect(await place.sizeOf(site.root, file.url)).toBe(200 * MEGABYTE);
    expect(raised).toBeLessThan(MOST);
    const kept = await place.count(site.root);
    expect((await sendLarge(url, key, 201)).status).toBe(413);
    const refused = (await highest()) - start;
    expect(refused).toBeLessThan(MOST);
    expect(await place.count(site.root)).toBe(kept);
    process.stderr.write(`an upload of 200 MB to ${name} raised the server's memory by ${(raised / MEGABYTE).toFixed(1)} MB, one above the limit by ${(refused / MEGABYTE).toFixed(1)} MB\n`);
  }, PATIENCE);
});
