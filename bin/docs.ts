// Rewrites the generated pages of docs/: the error codes, the options of Strapi and the command line.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { printPages } from './docs-pages.js';

const root = fileURLToPath(new URL('..', import.meta.url));

for (const { path, text } of await printPages(root)) await writeFile(join(root, path), text);
