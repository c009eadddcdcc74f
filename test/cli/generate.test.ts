import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import Generate from '../../src/commands/generate.js';
import { createSite } from './support/migrated-project.js';
import { runCommand } from './support/run-command.js';
import { createTempFolder } from './support/temp-project.js';

describe('cms generate --types-to', () => {
  it('writes the types into another folder, too, and checks them there', async () => {
    const site = createSite();
    const front = createTempFolder();
    const folder = join(front, 'src/cms');
    const run = async (...argv: readonly string[]) =>
      runCommand(Generate, [...argv, '--types-to', folder], { cwd: site.root });
    expect((await run('--check')).exitCode).toBe(1);
    const { exitCode, json } = await run('--json');
    expect(exitCode).toBe(0);
    const names = ['api', 'components', 'content-types', 'index', 'query', 'result'];
    expect(readdirSync(folder).toSorted()).toEqual(names.map((name) => `${name}.d.ts`));
    expect(json<{ files: string[] }>().files).toContain(join(folder, 'index.d.ts'));
    for (const name of readdirSync(folder)) {
      const text = readFileSync(join(folder, name), 'utf8');
      expect(text).toBe(site.read(`types/${name}`));
      expect(text).not.toMatch(/from '(?!\.\/)/);
    }
    expect((await run('--check')).exitCode).toBe(0);
    writeFileSync(join(folder, 'index.d.ts'), '');
    expect((await run('--check')).stdout).toContain('+++');
    expect((await run('--json')).json()).toEqual({ files: [join(folder, 'index.d.ts')], client: false });
  });
});
