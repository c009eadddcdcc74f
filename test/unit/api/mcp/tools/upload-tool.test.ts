import { mkdir, mkdtemp, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isPublicAddress, openFolderFile, openUrl } from '../../../../../src/api/mcp/tools/upload-tool.js';

describe('isPublicAddress', () => {
  it.each(['93.184.215.14', '2606:2800:21f:cb07::1'])('accepts %s', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });
  it.each([
    '127.0.0.1',
    '10.1.2.3',
    '172.20.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '0.0.0.0',
    '::',
    '::1',
    'fe80::1',
    'fd00::1',
    '::ffff:127.0.0.1',
    'localhost',
  ])('rejects %s', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });
});

describe('openFolderFile', () => {
  const createFolder = async (): Promise<string> => {
    const root = await mkdtemp(join(tmpdir(), 'galley-upload-'));
    await mkdir(join(root, '.hidden'));
    for (const file of ['photo.png', 'data.db', '.env', '.hidden/photo.png'])
      await writeFile(join(root, file), 'content');
    await symlink('/etc/hostname', join(root, 'link.txt'));
    return root;
  };

  it('opens a file of the folder, up to the limit', async () => {
    const root = await createFolder();
    const whole = await openFolderFile(root, 'photo.png', 100);
    expect([whole.name, await text(whole.content), whole.isTruncated()]).toEqual([
      'photo.png',
      'content',
      false,
    ]);
    expect((await openFolderFile(root, 'photo.png', 3)).isTruncated()).toBe(true);
  });

  it.each([
    ['../../etc/passwd', 'outside of the project|no such file'],
    ['/etc/hostname', 'outside of the project|no such file'],
    ['link.txt', 'outside of the project|no such file'],
    ['.env', 'hidden folder'],
    ['.hidden/photo.png', 'hidden folder'],
    ['data.db', 'cannot be uploaded by path'],
    ['missing.png', 'no such file'],
  ])('rejects %s', async (path, message) => {
    await expect(openFolderFile(await createFolder(), path, 100)).rejects.toThrow(new RegExp(message));
  });
});

describe('openUrl', () => {
  /** A server that sends a file, redirects, or fails. */
  const startServer = async (): Promise<string> => {
    const server = createServer((request, response) => {
      if (request.url === '/loop') response.writeHead(302, { location: '/loop' }).end();
      else if (request.url === '/moved') response.writeHead(302, { location: '/a%20photo.png' }).end();
      else if (request.url === '/missing') response.writeHead(404).end();
      else response.writeHead(200, { 'content-type': 'image/png; q=1' }).end('content');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };
  const anywhere = (): boolean => true;

  it('opens a file, also after a redirect, up to the limit', async () => {
    const url = await startServer();
    const { name, type, content, isTruncated } = await openUrl(`${url}/moved`, 100, anywhere);
    expect([name, type, await text(content), isTruncated()]).toEqual([
      'a photo.png',
      'image/png',
      'content',
      false,
    ]);
    const cut = await openUrl(`${url}/moved`, 3, anywhere);
    expect([await text(cut.content), cut.isTruncated()]).toEqual(['con', true]);
  });

  it.each([
    ['/loop', 'redirects more than 3 times'],
    ['/missing', 'status 404'],
  ])('rejects %s', async (path, message) => {
    await expect(openUrl((await startServer()) + path, 100, anywhere)).rejects.toThrow(message);
  });

  it('reaches only public addresses, by number and by name', async () => {
    const url = await startServer();
    await expect(openUrl(`${url}/a.png`, 100)).rejects.toThrow('its address is not public');
    const named = url.replace('127.0.0.1', 'localhost');
    await expect(openUrl(`${named}/a.png`, 100)).rejects.toThrow('its address is not public');
  });

  it.each(['file:///etc/passwd', 'a.png', 'http://user:secret@example.com/a.png'])(
    'rejects %s',
    async (url) => {
      await expect(openUrl(url, 100, anywhere)).rejects.toThrow('not a URL with http or https');
    },
  );
});
