import { beforeAll, describe, expect, it } from 'vitest';
import WebhookAdd from '../../src/commands/webhook/add.js';
import WebhookList from '../../src/commands/webhook/list.js';
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

  it('limits the events to content-types, and files are one', async () => {
    const { json } = await add('--type', 'tag,plugin::upload.file', '--dry-run');
    expect(json()).toMatchObject({ types: ['api::tag.tag', 'plugin::upload.file'], dryRun: true });
  });
});
