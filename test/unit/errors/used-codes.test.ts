import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { CATALOGUE } from '../../../src/errors/catalogue.js';

const src = fileURLToPath(new URL('../../../src/', import.meta.url));

/** The text of all source files except those that declare the codes. */
const sources = readdirSync(src, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
  .map((entry) => join(entry.parentPath, entry.name))
  .filter((file) => !file.startsWith(join(src, 'errors', 'catalogue')))
  .map((file) => readFileSync(file, 'utf8'))
  .join('\n');

it('every code of the catalogue is used by the sources', () => {
  const unused = Object.keys(CATALOGUE).filter((code) => !sources.includes(`'${code}'`));
  expect(unused).toEqual([]);
});
