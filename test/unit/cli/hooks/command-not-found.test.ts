import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { commandNotFound } from '../../../../src/cli/hooks/command-not-found.js';
import { isGalleyError } from '../../../../src/errors/galley-error.js';

const commands = readdirSync('src/commands', { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts'))
  .map((path) => ({ id: path.replace(/\.ts$/, '').replaceAll('/', ':'), hidden: false }));
const topics = [...new Set(commands.flatMap(({ id }) => (id.includes(':') ? [id.split(':')[0] ?? ''] : [])))];
const config = { commands, topics: topics.map((name) => ({ name })) };

/** Returns the suggested command, or the code of the error if none is suggested. */
const suggestionFor = async (text: string): Promise<string | undefined> => {
  const id = text.replaceAll(' ', ':');
  const hook = commandNotFound as unknown as (options: object) => Promise<void>;
  const error: unknown = await hook({ id, config }).catch((caught: unknown) => caught);
  if (!isGalleyError(error)) throw new TypeError('The hook throws an error of the catalogue');
  return /^Did you mean: cms (.+)\?$/.exec(error.hint ?? '')?.[1] ?? error.code;
};

it.each([
  ['media upload', 'media add'],
  ['media upload photo.jpg', 'media add'],
  ['content ls', 'content list'],
  ['content remove', 'content delete'],
  ['content get article', 'content show'],
  ['webhook delete', 'webhook remove'],
  ['token rm', 'token revoke'],
  ['release new', 'release create'],
  ['type new', 'type add'],
  ['content trash ls', 'content trash list'],
])('suggests the command that means the same as %s', async (text, command) => {
  expect(await suggestionFor(text)).toBe(command);
});

it.each([
  ['media updat', 'media update'],
  ['conten list', 'content list'],
  ['completon', 'completion'],
  ['frobnicate', 'cli/unknown-command'],
  ['content list article set', 'cli/unexpected-argument'],
])('suggests the nearest command for %s, if there is one', async (text, command) => {
  expect(await suggestionFor(text)).toBe(command);
});
