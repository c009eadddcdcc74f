import { describe, expect, it } from 'vitest';
import { CliHelp, LOCAL_COMMANDS, localReason } from '../../src/cli/help.js';
import { CliConfig } from '../../src/cli/terminal/terminal.js';
import { commandFiles, loadCommand } from './support/command-files.js';
import { createFakeTerminal } from './support/fake-terminal.js';
import { packageRoot } from './support/package-root.js';

const hasRemoteFlag = async (file: string): Promise<boolean> =>
  Object.hasOwn((await loadCommand(file)).flags ?? {}, 'remote');

describe.each(commandFiles)('cms $id', ({ id, file }) => {
  it('takes --remote, or is listed with the reason', async () => {
    const reason = localReason(id.split(' '));
    expect({ hasFlag: await hasRemoteFlag(file), reason }).toEqual(
      reason === undefined ? { hasFlag: true, reason } : { hasFlag: false, reason },
    );
  });
});

it('lists no reason without a command', () => {
  const ids = commandFiles.map(({ id }) => id);
  const unused = Object.keys(LOCAL_COMMANDS).filter(
    (words) => !ids.some((id) => id === words || id.startsWith(`${words} `)),
  );
  expect(unused).toEqual([]);
});

it('prints the reason in the help', async () => {
  const config = new CliConfig({ root: packageRoot }, createFakeTerminal({ cwd: packageRoot }));
  await config.load();
  const help = async (id: string): Promise<string> =>
    (await new CliHelp(config).print(id)).replaceAll(/\s+/g, ' ');
  expect(await help('backup')).toContain(`Has no --remote: ${LOCAL_COMMANDS['backup']}`);
  expect(await help('migrate:deploy')).toContain(`Has no --remote: ${LOCAL_COMMANDS['migrate']}`);
  expect(await help('token:list')).not.toContain('Has no --remote');
});
