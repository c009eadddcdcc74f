import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { programInProject, spellCommands } from '../../../../src/cli/terminal/text-layout.js';
import { createTempFolder } from '../../../cli/support/temp-project.js';

const HINT = 'Run: cms migrate deploy, see "cms doctor --json" (cms dev), not cms.config.ts or npx cms dev';
const SPELLED =
  'Run: npx cms migrate deploy, see "npx cms doctor --json" (npx cms dev), not cms.config.ts or npx cms dev';

const program = process.platform === 'win32' ? 'cms.cmd' : 'cms';

/** A folder with the program among a project's packages, and one with the program of the whole machine. */
const install = () => {
  const root = createTempFolder();
  const [local, global] = [join(root, 'site/node_modules/.bin'), join(root, 'bin')];
  for (const folder of [local, global, join(root, 'site/src')]) mkdirSync(folder, { recursive: true });
  for (const folder of [local, global]) writeFileSync(join(folder, program), '');
  return { root, site: join(root, 'site'), local, global };
};

describe('a command in a hint', () => {
  it('is called by npx in a project where a shell does not find the program', () => {
    const { site, local } = install();
    expect(spellCommands(HINT, { cwd: join(site, 'src'), env: {} })).toBe(SPELLED);
    // npm and npx extend the PATH of what they start.
    expect(spellCommands(HINT, { cwd: site, env: { PATH: local } })).toBe(SPELLED);
  });

  it('stays as it is where a shell finds the program, and where there is no other', () => {
    const { root, site, global } = install();
    expect(spellCommands(HINT, { cwd: site, env: { PATH: global } })).toBe(HINT);
    expect(spellCommands(HINT, { cwd: root, env: {} })).toBe(HINT);
  });

  it('of a new project is called by npx unless a shell finds the program', () => {
    const { root, global } = install();
    expect(programInProject({ cwd: root, env: {} })).toBe('npx cms');
    expect(programInProject({ cwd: root, env: { PATH: global } })).toBe('cms');
  });
});
