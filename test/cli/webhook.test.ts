import { beforeAll, describe, expect, it } from 'vitest';
import WebhookAdd from '../../src/commands/webhook/add.js';
import WebhookList from '../../src/commands/webhook/list.js';
import WebhookTest from '../../src/commands/webhook/test.js';
import { openReceiver } from '../contract/api/webhooks/receiver.js';
import { createSharedSite } from './support/migrated-project.js';
import { runCommand } from './support/run-command.js';
import type { TempProject } from './support/temp-project.js';

describe('cms webhook add', () => {
  let site: TempProject;
  const add = (...argv: readonly string[]) =>
    runCommand(WebhookAdd, ['build', 'https://example.com/hook', ...argv, '--json'], { cwd: site.root });

  beforeAll(async () => {
    site = await createSharedSite();
  });

  it.each([
    ['a locale that is not there', ['--locale', 'zz'], 'access/unknown-locale'],
    ['a header that holds another one', ['--header', 'a: b\nc: d'], 'webhook/invalid'],
    ['a header that cannot be sent', ['--header', 'a: \u2713'], 'webhook/invalid'],
    ['a type that is not there', ['--type', 'nope'], 'cli/unknown-name'],
  ])('refuses %s', async (_what, argv, code) => {
    const { exitCode, json } = await add(...argv);
    expect(json()).toMatchObject({ error: { code } });
    expect(exitCode).not.toBe(0);
    expect((await runCommand(WebhookList, ['--json'], { cwd: site.root })).json()).toEqual([]);
  });

  it('purges a service with its token, which it neither prints nor accepts as an argument', async () => {
    const purge = (...argv: readonly string[]) => add('--purge', 'fastly', ...argv, '--dry-run');
    expect((await purge()).json()).toMatchObject({ error: { code: 'webhook/invalid' } });
    expect((await purge('--secret', 'in-the-history')).exitCode).toBe(2);
    const { json, stdout } = await runCommand(
      WebhookAdd,
      ['cdn', 'https://example.com/purge', '--purge', 'fastly', '--secret', '-', '--dry-run', '--json'],
      { cwd: site.root, stdin: 'token-of-fastly\n' },
    );
    expect(json()).toMatchObject({ purge: 'fastly', events: ['cache.purge'], isSigned: true });
    expect(stdout).not.toContain('token-of-fastly');
  });

  it.each([
    ['other events', ['--event', 'cache.purge,entry.publish']],
    ['content-types', ['--event', 'cache.purge', '--type', 'tag']],
    ['locales', ['--event', 'cache.purge', '--locale', 'en']],
  ])('refuses cache.purge with %s, which would have no effect', async (_what, argv) => {
    expect((await add(...argv, '--dry-run')).json()).toMatchObject({ error: { code: 'webhook/invalid' } });
  });

  it('limits the events to content-types, and files are one', async () => {
    const { json } = await add('--type', 'tag,plugin::upload.file', '--dry-run');
    expect(json()).toMatchObject({ types: ['api::tag.tag', 'plugin::upload.file'], dryRun: true });
  });
});

describe('cms webhook test', () => {
  it.each([
    ['the event trigger-test', 'entry.publish', { event: 'trigger-test' }],
    [
      'a tag of no response to receivers of tags',
      'cache.purge',
      { event: 'cache.purge', tags: ['galley-test'] },
    ],
  ])('sends %s', async (_what, event, body) => {
    const site = await createSharedSite();
    const receiver = await openReceiver();
    const argv = [event, receiver.url, '--event', event];
    expect((await runCommand(WebhookAdd, argv, { cwd: site.root })).exitCode).toBe(0);
    expect((await runCommand(WebhookTest, [event], { cwd: site.root })).exitCode).toBe(0);
    await receiver.close();
    expect(receiver.received.map(({ json }) => json)).toMatchObject([body]);
  });
});
