import { deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import TokenCreate from '../../../src/commands/token/create.js';
import { runBinary } from '../support/binary.js';
import { createMigratedSite, createServableSite } from '../support/migrated-project.js';
import { runCommand } from '../support/run-command.js';
import { startProcess } from '../support/server-process.js';

/** An environment in which packages of such names are not installed. */
const environmentWithout = (packages: RegExp): Readonly<Record<string, string>> => ({
  NODE_OPTIONS: `--import=${new URL('../support/missing-packages.mjs', import.meta.url).href}`,
  MISSING_PACKAGES: packages.source,
});

/** The native halves of sharp, which are optional dependencies: one for each kind of machine. */
const NATIVE_SHARP = /^@img\/sharp-/;
const AWS = /^@aws-sdk\//;

const S3 = {
  'cms.config.js':
    "export default { upload: { provider: 's3', s3: { bucket: 'media', region: 'eu-central-1' } } };",
};

const crc32 = (data: Buffer): number => {
  let crc = ~0;
  for (const byte of data) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return ~crc >>> 0;
};

const chunk = (type: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, crc] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  crc.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, crc]);
};

/** A grey PNG, written by hand: nothing here can open images. */
const createGreyPng = (width: number, height: number): Buffer => {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.writeUInt8(8, 8);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.alloc((width + 1) * height))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
};

interface UploadedFile {
  readonly url: string;
}

const upload = async (
  url: string,
  key: string,
  name: string,
  content: Buffer,
): Promise<{ readonly status: number; readonly body: readonly UploadedFile[] }> => {
  const form = new FormData();
  form.append('files', new Blob([Uint8Array.from(content)], { type: 'image/png' }), name);
  const response = await fetch(`${url}/api/upload`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
    body: form,
  });
  return { status: response.status, body: (await response.json()) as readonly UploadedFile[] };
};

const doctor = async (
  cwd: string,
  packages: RegExp,
): Promise<{ readonly exitCode: number | null; readonly findings: unknown }> => {
  const { stdout, exitCode } = await runBinary(['doctor', '--json'], {
    cwd,
    env: environmentWithout(packages),
  });
  return { exitCode, findings: (JSON.parse(stdout) as { readonly findings: unknown }).findings };
};

describe('without the native half of sharp', () => {
  it('the server starts with a warning, and stores images as they come', async () => {
    const site = await createServableSite();
    const { stdout } = await runCommand(TokenCreate, ['--name', 'ci', '--type', 'full-access'], {
      cwd: site.root,
    });
    const server = await startProcess(['start', '--port', '0'], {
      cwd: site.root,
      env: environmentWithout(NATIVE_SHARP),
    });
    await server.waitForText('npm install --include=optional sharp');
    expect(server.stderr()).toContain('"code":"upload/image-processing-unavailable"');
    const image = createGreyPng(600, 300);
    const { status, body } = await upload(server.url, stdout.trim(), 'grey.png', image);
    expect([status, body]).toMatchObject([
      201,
      [{ name: 'grey.png', mime: 'image/png', ext: '.png', width: null, height: null, formats: null }],
    ]);
    const stored = await fetch(`${server.url}${body[0]?.url ?? ''}`);
    expect(stored.headers.get('content-type')).toBe('image/png');
    expect(image.equals(Buffer.from(await stored.arrayBuffer()))).toBe(true);
    expect((await upload(server.url, stdout.trim(), 'lie.png', Buffer.from('no image'))).status).toBe(400);
    server.signal('SIGTERM');
    expect(await server.ended).toBe(0);
  });

  it('cms doctor says what to run, and takes nothing for broken', async () => {
    const site = await createMigratedSite();
    const { findings } = await doctor(site.root, NATIVE_SHARP);
    expect(findings).toContainEqual({
      check: 'images',
      status: 'warning',
      message: expect.stringContaining('not installed for this platform') as unknown,
      remedy: 'Run: npm install --include=optional sharp',
    });
  });

  it('is what the test says: with it, the same image is measured and made smaller', async () => {
    const site = await createServableSite();
    const { stdout } = await runCommand(TokenCreate, ['--name', 'ci', '--type', 'full-access'], {
      cwd: site.root,
    });
    const server = await startProcess(['start', '--port', '0'], { cwd: site.root });
    const { body } = await upload(server.url, stdout.trim(), 'grey.png', createGreyPng(600, 300));
    expect(body).toMatchObject([{ width: 600, height: 300, formats: { thumbnail: { width: 245 } } }]);
    expect(server.stderr()).not.toContain('upload/image-processing-unavailable');
  });
});

describe('without the packages for S3', () => {
  const MESSAGE = 'npm install @aws-sdk/client-s3 @aws-sdk/lib-storage';

  it('a project that keeps files there does not start, and says what to install', async () => {
    const site = await createServableSite();
    site.write(S3);
    const { stdout, stderr, exitCode } = await runBinary(['start', '--port', '0'], {
      cwd: site.root,
      env: environmentWithout(AWS),
    });
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 1 });
    expect(stderr).toContain(MESSAGE);
    expect(stderr).not.toContain('    at ');
    const { stdout: json } = await runBinary(['start', '--port', '0', '--json'], {
      cwd: site.root,
      env: environmentWithout(AWS),
    });
    expect(JSON.parse(json)).toMatchObject({
      error: { code: 'upload/missing-package', hint: `Run: ${MESSAGE}` },
    });
  });

  it('cms doctor finds it broken; with them, it is not', async () => {
    const site = await createMigratedSite();
    site.write(S3);
    const missing = await doctor(site.root, AWS);
    expect(missing.exitCode).toBe(1);
    expect(missing.findings).toContainEqual({
      check: 'uploads',
      status: 'error',
      message: expect.any(String) as unknown,
      remedy: `Run: ${MESSAGE}`,
    });
    const { findings } = await doctor(site.root, /^nothing-of-the-kind$/);
    expect(findings).toContainEqual({
      check: 'uploads',
      status: 'ok',
      message: 'Files are stored in the bucket media',
    });
  });

  it('other projects do not miss them', async () => {
    const site = await createServableSite();
    const server = await startProcess(['start', '--port', '0'], {
      cwd: site.root,
      env: environmentWithout(AWS),
    });
    expect((await fetch(`${server.url}/_health`)).status).toBe(204);
  });
});
