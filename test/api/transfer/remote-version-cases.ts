import { expect, it } from 'vitest';
import ContentHistory from '../../../src/commands/content/history.js';
import ContentPublish from '../../../src/commands/content/publish.js';
import ContentRestore from '../../../src/commands/content/restore.js';
import ContentSchedule from '../../../src/commands/content/schedule.js';
import ContentUpdate from '../../../src/commands/content/update.js';
import type { RemoteMedia } from './remote-media-cases.js';

type Json = Readonly<Record<string, unknown>>;

/** Tests of versions and schedules of a remote server, whose homepage was published once. */
export function remoteVersionCases({
  run,
  there,
  shown,
}: Pick<RemoteMedia, 'run' | 'there' | 'shown'>): void {
  it('shows what was published before and what is planned, and changes both', async () => {
    await there(ContentUpdate, 'homepage', '--set', 'headline=Good day', '--publish');
    const listed = (await there(ContentHistory, 'homepage', '--json')).json<{ versions: Json[] }>();
    expect(listed.versions).toMatchObject([{ version: 2 }, { version: 1 }]);
    expect((await there(ContentHistory, 'homepage', '--diff', '1')).stdout).toContain('+headline: Good day');
    const restore = ['homepage', '--version', '1'];
    expect((await there(ContentRestore, ...restore, '--dry-run')).stdout).toContain('Would restore');
    expect(await shown('homepage')).toMatchObject({ headline: 'Good day' });
    await there(ContentRestore, ...restore);
    expect(await shown('homepage')).toMatchObject({ headline: 'Hello' });
    expect(
      await run(ContentRestore, 'homepage', '--version', '9', '--remote', 'live', '--json'),
    ).toMatchObject({ exitCode: 1, stdout: expect.stringContaining('content/unknown-version') as string });
    await there(ContentPublish, 'homepage', '--at', '2h');
    const planned = (await there(ContentSchedule, 'homepage', '--json')).json<{ scheduled: Json[] }>();
    expect(planned.scheduled).toMatchObject([{ action: 'publish', locale: 'en', error: null }]);
    await there(ContentPublish, 'homepage', '--at', 'never');
    expect((await there(ContentSchedule, '--json')).json()).toEqual({ scheduled: [] });
  });
}
