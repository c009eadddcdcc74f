import { PassThrough } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { expect, it } from 'vitest';
import { actionGrid } from '../../../../src/cli/prompts/action-grid.js';
import { styleFor } from '../../../../src/cli/terminal/terminal.js';

it('breaks rows between actions, and keeps boxes beside their labels', async () => {
  const actions = ['find', 'findOne', 'create', 'update', 'delete', 'findDrafts', 'findVersions'];
  const [input, output] = [new PassThrough(), Object.assign(new PassThrough(), { columns: 60 })];
  const groups = [{ uid: 'api::article.article', displayName: 'Article', actions }];
  const done = actionGrid(
    { message: 'Actions', groups, granted: ['api::article.article.find'], style: styleFor(false, 60) },
    { input, output },
  );
  const drawn = stripVTControlCharacters(String(output.read()));
  input.write('\r');
  expect(await done).toEqual(['api::article.article.find']);
  const rows = drawn.split('\n').filter((line) => line.includes('['));
  expect(rows.map((row) => row.trim())).toEqual([
    'Article ›[x] find  [ ] findOne  [ ] create  [ ] update',
    '[ ] delete  [ ] findDrafts  [ ] findVersions',
  ]);
  expect(rows.every((row) => row.length <= 60)).toBe(true);
});
