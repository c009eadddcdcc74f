import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { importsRuntime, runClientGenerator } from '../../../../src/database/prisma/client-generator.js';
import { brokenReach, THING_SCHEMA } from './reach.js';

const FILE = 'client-generator.ts';

describe('the client generator', () => {
  it('writes into the given folder, and names the runtime by its path', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'galley-reach-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const outputDir = join(folder, 'client');
    await runClientGenerator({ schemaText: THING_SCHEMA('sqlite'), outputDir, provider: 'sqlite' });
    const files = await readdir(outputDir);
    expect(files, brokenReach(FILE, 'the files of a generated client')).toEqual(
      expect.arrayContaining(['index.d.ts', 'index.js', 'schema.prisma']),
    );
    expect(files, brokenReach(FILE, '`copyRuntime: false`')).not.toContain('runtime');
    expect(
      importsRuntime(await readFile(join(outputDir, 'index.js'), 'utf8')),
      brokenReach(FILE, 'the import of the runtime in `index.js`, as `testMode` and `runtimeBase` make it'),
    ).toBe(true);
  });

  it('writes one client after another, also where it has refused one in between', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'galley-reach-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const generate = async (name: string, schemaText: string): Promise<string> => {
      const outputDir = join(folder, name);
      await runClientGenerator({ schemaText, outputDir, provider: 'sqlite' });
      return readFile(join(outputDir, 'index.d.ts'), 'utf8');
    };
    const thing = THING_SCHEMA('sqlite');
    const other = thing.replace('model Thing', 'model Other');
    expect(await generate('first', thing)).toContain('ThingDelegate');
    await expect(generate('refused', `${thing}model Broken {`)).rejects.toThrow();
    const together = await Promise.all([generate('second', other), generate('third', thing)]);
    expect(together.map((types) => types.includes('ThingDelegate'))).toEqual([false, true]);
  });
});
