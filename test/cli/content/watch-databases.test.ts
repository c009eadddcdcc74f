import { spawn } from 'node:child_process';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import ContentWatch from '../../../src/commands/content/watch.js';
import ContentCreate from '../../../src/commands/content/create.js';
import ContentDelete from '../../../src/commands/content/delete.js';
import ContentUpdate from '../../../src/commands/content/update.js';
import RemoteAdd from '../../../src/commands/remote/add.js';
import TokenCreate from '../../../src/commands/token/create.js';
import { openProject } from '../../../src/project/open/open-project.js';
import { databases } from '../../support/databases.js';
import { migrateProjectDatabase } from '../../support/migrate-project.js';
import { binaryPath, plainEnvironment } from '../support/binary.js';
import { createSharedProject } from '../support/temp-project.js';
import type { TempProject } from '../support/temp-project.js';
import { SECRETS, typeFile } from '../support/migrated-project.js';
import { runCommand } from '../support/run-command.js';
import { startProcess, waitFor } from '../support/server-process.js';

interface Watching {
  readonly lines: () => readonly string[];
  readonly stop: () => void;
}

describe.each(databases)('cms content watch on $name', ({ create }) => {
  let site: TempProject;
  const watch = async (...argv: readonly string[]): Promise<Watching> => {
    const child = spawn(process.execPath, [binaryPath, 'content', 'watch', ...argv], {
      cwd: site.root,
      env: plainEnvironment(),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    onTestFinished(() => void child.kill());
    let [stdout, stderr] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    await waitFor('the command to wait', () => {
      if (child.exitCode !== null) throw new Error(`Ended with ${child.exitCode}:\n${stderr}`);
      return stderr.includes('Waiting for changes after ') ? true : undefined;
    });
    return {
      lines: () => stdout.split('\n').filter((line) => line !== ''),
      stop: () => void child.kill(),
    };
  };
  const run = async (command: Parameters<typeof runCommand>[0], ...argv: readonly string[]) => {
    const result = await runCommand(command, argv, { cwd: site.root });
    expect(result).toMatchObject({ exitCode: 0 });
    return result;
  };
  const createTag = async (title: string): Promise<string> => {
    const { stdout } = await run(ContentCreate, 'tag', '--set', `title=${title}`);
    return stdout.trim();
  };
  const expectLines = async ({ lines }: Watching, count: number) => {
    await expect.poll(() => lines().length, { timeout: 20_000, interval: 20 }).toBe(count);
    return lines();
  };

  beforeAll(async () => {
    const { url } = await create();
    site = createSharedProject({
      '.env': `${SECRETS}DATABASE_URL=${url}\n`,
      ...typeFile('tag'),
      ...typeFile('page', { localized: true, draftAndPublish: true }),
    });
    await migrateProjectDatabase(await openProject(site.root), { label: 'start' });
  });

  it('prints changes, and those after an event', async () => {
    const [all, tags] = [await watch(), await watch('tag', '--json')];
    await run(ContentCreate, 'page', '--set', 'title=A page');
    const one = await createTag('one');
    const two = await createTag('two');
    const events = (await expectLines(tags, 2)).map(
      (line) => JSON.parse(line) as Readonly<Record<string, string>>,
    );
    expect(events).toMatchObject([
      { action: 'create', type: 'api::tag.tag', documentId: one, locale: null },
      { action: 'create', documentId: two },
    ]);
    const printed = await expectLines(all, 3);
    expect(printed[0]).toMatch(/^[-\d]+ [:\d]+ {2}create {8}api::page\.page\/\w+ en draft {2}\d+-\w+$/);
    expect(printed[2]).toContain(`api::tag.tag/${two} published  ${events[1]?.['id']}`);
    all.stop();
    await run(ContentDelete, 'tag', one, '--yes');
    const since = await watch('tag', '--since', String(events[0]?.['id']));
    const later = await expectLines(since, 2);
    expect(later[0]).toContain(`create        api::tag.tag/${two}`);
    expect(later[1]).toContain(`delete        api::tag.tag/${one}  `);
    const unknown = await watch('--since', '1-x');
    expect((await expectLines(unknown, 1))[0]).toContain('Changes before this line may be missing.');
  });

  it('prints cache tags that become stale', async () => {
    const one = await createTag('tagged');
    const two = await createTag('another');
    const asked = await watch('--tag', `tag:${one}`, '--tag', 'tag');
    const all = await watch('tag', '--tag', '*', '--json');
    await run(ContentUpdate, 'tag', two, '--set', 'title=Again');
    await run(ContentUpdate, 'tag', one, '--set', 'title=Another');
    await run(ContentUpdate, 'tag', one, '--set', 'title=One more');
    const lines = await expectLines(asked, 2);
    expect(lines[0]).toMatch(new RegExp(String.raw`^[-\d]+ [:\d]+ {2}tag:${one} {2}\d+-\w+$`));
    const json = (await expectLines(all, 3)).map((line) => JSON.parse(line) as { readonly id: string });
    const tags = [`tag:${one}`, 'tag*', 'tag.title', 'tag.updatedAt'];
    expect(json[2]).toEqual({
      tags: expect.arrayContaining(tags) as string[],
      id: expect.any(String) as string,
    });
    asked.stop();
    await run(ContentDelete, 'tag', one, '--yes');
    const since = await watch('--tag', `tag:${one}`, '--since', json[2]?.id ?? '');
    expect((await expectLines(since, 1))[0]).toContain(`  tag:${one}  `);
  });

  it('prints changes of a remote server, and connects again', async () => {
    const token = (await run(TokenCreate, '--name', 'watch', '--type', 'read-only')).stdout.trim();
    const server = await startProcess(['start', '--port', '0'], { cwd: site.root });
    await runCommand(RemoteAdd, ['live', server.url, '--token', '-'], {
      cwd: site.root,
      stdin: `${token}\n`,
    });
    const remote = await watch('tag', '--remote', 'live', '--json');
    const tags = await watch('--tag', 'tag', '--remote', 'live', '--json');
    const three = await createTag('three');
    expect(JSON.parse((await expectLines(tags, 1))[0] ?? '')).toMatchObject({ tags: ['tag'] });
    const [line] = await expectLines(remote, 1);
    expect(JSON.parse(line ?? '')).toMatchObject({ action: 'create', documentId: three });
    server.signal('SIGTERM');
    await server.ended;
    const four = await createTag('four');
    await startProcess(['start', '--port', new URL(server.url).port], { cwd: site.root });
    const lines = await expectLines(remote, 2);
    expect(JSON.parse(lines[1] ?? '')).toMatchObject({ documentId: four });
  });

  it('rejects unknown types, locales and missing permissions', async () => {
    for (const argv of [
      ['nothing'],
      ['--locale', 'xx'],
      ['--status', 'new'],
      ['--tag', 'nothing:x'],
      ['--tag', ''],
      ['tag', '--tag', 'tag:x'],
      ['--tag', 'tag', '--locale', 'en'],
    ]) {
      const { exitCode, stderr } = await runCommand(ContentWatch, argv, { cwd: site.root });
      expect([argv, exitCode, stderr === '']).toEqual([argv, expect.any(Number), false]);
      expect(exitCode).toBeGreaterThan(0);
    }
  });
});
