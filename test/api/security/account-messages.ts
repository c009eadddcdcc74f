import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { isRecord } from '../../../src/lib/records.js';
import { defined } from '../../../src/lib/assert.js';
import type { TestResponse, Testbed } from './testbed.js';

export const AUTH = 'plugin::users-permissions.auth';

/** Returns the JWT of a response to signing in. */
export const jwtOf = ({ body }: TestResponse): string => {
  if (!isRecord(body) || typeof body['jwt'] !== 'string') throw new Error(JSON.stringify(body));
  return body['jwt'];
};

/** Returns the sources of all sent messages, oldest first, without the line breaks that encoding adds. */
export const sentMessages = async (testbed: Testbed): Promise<readonly string[]> => {
  const folder = join(testbed.site.root, '.galley', 'mail');
  const files: readonly string[] = await readdir(folder).catch(() => []);
  const messages = await Promise.all(files.toSorted().map((file) => readFile(join(folder, file), 'utf8')));
  return messages.map((message) => message.replaceAll('=\n', '').replaceAll('=3D', '='));
};

/** Returns the codes sent to an address, oldest first. */
export const codesFor = async (testbed: Testbed, email: string): Promise<readonly string[]> =>
  (await sentMessages(testbed))
    .filter((message) => message.includes(`To: ${email}`))
    .flatMap((message) => /(?:code|confirmation)=([0-9a-f]{64})/.exec(message)?.[1] ?? []);

/** Waits for the next code sent to an address that has been sent `known` codes already. */
export const nextCode = async (testbed: Testbed, email: string, known: number): Promise<string> => {
  await expect.poll(async () => (await codesFor(testbed, email)).length, { timeout: 5000 }).toBe(known + 1);
  return defined((await codesFor(testbed, email)).at(-1), 'the code sent last');
};
