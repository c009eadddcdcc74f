import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { printPages } from '../../bin/docs-pages.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const pages = await printPages(root);

it.each(pages)('$path is up to date (rewrite it with UPDATE_DOCS=1 or npm run docs)', ({ path, text }) => {
  if (process.env['UPDATE_DOCS'] === '1') writeFileSync(`${root}${path}`, text);
  expect(readFileSync(`${root}${path}`, 'utf8')).toBe(text);
});
