import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ContentModel } from '../../src/model/model.js';
import { SERVER_TYPES } from '../../src/generate/typegen/print-types.js';
import { printAllTypes } from './print-all-types.js';

const TSC = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url));

const OPTIONS = {
  strict: true,
  noEmit: true,
  module: 'NodeNext',
  target: 'ES2022',
  types: [],
  lib: ['ES2022'],
  exactOptionalPropertyTypes: true,
  skipLibCheck: false,
};

/** Returns the compiler's errors in the generated files and in a front end that uses them. */
export async function compileFrontEnd(
  model: ContentModel,
  usage: string,
  flags: readonly string[] = [],
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'types-'));
  const write = async (path: string, text: string): Promise<void> => {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  };
  try {
    // It needs the package, which a front end does not have.
    const files = (await printAllTypes(model)).filter(({ path }) => path !== SERVER_TYPES);
    for (const file of files) await write(file.path, file.text);
    await write('front-end.ts', usage);
    await write('package.json', '{"type":"module"}');
    await write('tsconfig.json', JSON.stringify({ compilerOptions: OPTIONS, include: ['.'] }));
    return await new Promise((resolve) => {
      execFile(process.execPath, [TSC, '-p', folder, '--pretty', 'false', ...flags], (_, stdout) =>
        resolve(stdout.trim()),
      );
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
