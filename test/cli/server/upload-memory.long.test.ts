import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { EventEmitter } from 'node:events';
import { readdir, stat } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { HeadObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { describe, expect, it, onTestFinished } from 'vitest';
import TokenCreate from '../../../src/commands/token/create.js';
import { BUCKET, CREDENTIALS, startS3Store } from '../../api/media/support/s3-server.js';
import { binaryPath, plainEnvironment } from '../support/binary.js';
import { createServableSite } from '../support/migrated-project.js';
import { runCommand } from '../support/run-command.js';

const MEGABYTE = 1024 * 1024;
const MAX_MEMORY_GROWTH = 50 * MEGABYTE;
const BOUNDARY = 'xxBOUNDARYxx';
const MULTIPART_HEADER = [
  `--${BOUNDARY}`,
  'Content-Disposition: form-data; name="files"; filename="large.bin"',
  'Content-Type: application/octet-stream',
  '',
  '',
].join('\r\n');
const MULTIPART_FOOTER = `\r\n--${BOUNDARY}--\r\n`;

interface IncomingResponse extends NodeJS.ReadableStream {
  readonly statusCode: number;
}

const nextEvent = async <T>(emitter: EventEmitter, event: string): Promise<T> => {
  const [value] = (await once(emitter, event)) as readonly unknown[];
  return value as T;
};

/** Sends one file of that many megabytes, as fast as it is taken. */
const sendLarge = async (
  url: string,
  key: string,
  megabytes: number,
): Promise<{ readonly status: number; readonly text: string }> => {
  const block = Buffer.alloc(MEGABYTE, 'the same again ');
  const length = MULTIPART_HEADER.length + megabytes * MEGABYTE + MULTIPART_FOOTER.length;
  const clientRequest = request(`${url}/api/upload`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
      'content-length': length,
    },
  });
  const pendingReply = nextEvent<IncomingResponse>(clientRequest, 'response');
  clientRequest.write(MULTIPART_HEADER);
  for (let index = 0; index < megabytes; index += 1)
    if (!clientRequest.write(block)) await once(clientRequest, 'drain');
  clientRequest.end(MULTIPART_FOOTER);
  const response = await pendingReply;
  let text = '';
  for await (const part of response) text += String(part);
  return { status: response.statusCode, text };
};

/** Where the files go. */
interface UploadTarget {
  /** What cms.config exports. */
  readonly config: Readonly<Record<string, unknown>>;
  readonly sizeOf: (root: string, url: string) => Promise<number>;
  readonly count: (root: string) => Promise<number>;
  readonly remove: () => Promise<void>;
}

const uploads = (root: string): string => join(root, 'public', 'uploads');

const createFolderTarget = async (): Promise<UploadTarget> => ({
  config: {},
  sizeOf: async (root, url) => (await stat(join(uploads(root), url.slice('/uploads/'.length)))).size,
  count: async (root) => (await readdir(uploads(root))).filter((name) => name.endsWith('.bin')).length,
  remove: async () => undefined,
});

const createS3Target = async (): Promise<UploadTarget> => {
  const store = await startS3Store();
  const client = new S3Client({
    endpoint: store.endpoint,
    region: 'us-east-1',
    forcePathStyle: true,
    credentials: { ...CREDENTIALS },
  });
  return {
    config: { upload: { provider: 's3', s3: store.settings } },
    sizeOf: async (_root, url) =>
      (await client.send(new HeadObjectCommand({ Bucket: BUCKET, Key: url.split('/').at(-1) ?? '' })))
        .ContentLength ?? 0,
    count: async () => (await store.keys()).length,
    remove: async () => {
      client.destroy();
      await store.remove();
    },
  };
};

interface MeasuredServer {
  readonly url: string;
  /** The most memory it has taken since it was last asked. */
  readonly peakMemory: () => Promise<number>;
}

/** The built server in a process of its own that tells how much memory it takes, ended when the test is. */
const startServer = async (root: string): Promise<MeasuredServer> => {
  const preload = new URL('../support/tell-memory.mjs', import.meta.url).href;
  const child = fork(binaryPath, ['start', '--port', '0'], {
    cwd: root,
    env: plainEnvironment(),
    execArgv: ['--import', preload],
    silent: true,
  });
  const ended = once(child, 'exit');
  onTestFinished(async () => {
    child.kill('SIGTERM');
    await ended;
  });
  let output = '';
  child.stderr?.on('data', (text: Buffer) => {
    output += String(text);
  });
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout?.on('data', (text: Buffer) => resolve(String(text).trim()));
    child.on('exit', (code) => reject(new Error(`The server ended with ${code}: ${output}`)));
  });
  return {
    url,
    peakMemory: async () => {
      const pendingReply = nextEvent<{ readonly highest: number }>(child, 'message');
      child.send('memory?');
      return (await pendingReply).highest;
    },
  };
};

/** Starting, and two hundred megabytes twice, on a machine that is busy otherwise. */
const TIMEOUT_MS = 240_000;

describe('a file of 200 MB', () => {
  it.each([
    ['a folder', createFolderTarget],
    ['an S3-compatible store', createS3Target],
  ] as const)(
    'uploaded to %s raises memory by less than 50 MB; a larger file is refused and not kept',
    async (name, createTarget) => {
      const target = await createTarget();
      onTestFinished(target.remove);
      const site = await createServableSite();
      site.write({ 'cms.config.js': `export default ${JSON.stringify(target.config)};` });
      const key = (
        await runCommand(TokenCreate, ['--name', 'ci', '--type', 'full-access'], { cwd: site.root })
      ).stdout.trim();
      const { url, peakMemory } = await startServer(site.root);
      // After 100 MB, memory is steady; a server that held whole files would grow by 100 MB more.
      expect((await sendLarge(url, key, 100)).status).toBe(201);
      await peakMemory();
      const baseline = await peakMemory();
      const { status, text } = await sendLarge(url, key, 200);
      const growth = (await peakMemory()) - baseline;
      expect(status).toBe(201);
      const [file = { url: '', size: 0 }] = JSON.parse(text) as readonly {
        readonly url: string;
        readonly size: number;
      }[];
      expect(file.size).toBe(Math.round((200 * MEGABYTE) / 10) / 100);
      expect(await target.sizeOf(site.root, file.url)).toBe(200 * MEGABYTE);
      expect(growth).toBeLessThan(MAX_MEMORY_GROWTH);
      const fileCount = await target.count(site.root);
      expect((await sendLarge(url, key, 201)).status).toBe(413);
      const rejectedGrowth = (await peakMemory()) - baseline;
      expect(rejectedGrowth).toBeLessThan(MAX_MEMORY_GROWTH);
      expect(await target.count(site.root)).toBe(fileCount);
      const inMegabytes = (bytes: number): string => `${(bytes / MEGABYTE).toFixed(1)} MB`;
      process.stderr.write(
        `Uploading 200 MB to ${name} raised memory by ${inMegabytes(growth)}, ` +
          `a refused upload by ${inMegabytes(rejectedGrowth)}.\n`,
      );
    },
    TIMEOUT_MS,
  );
});
