import { beforeAll, describe, expect, it } from 'vitest';
import type { ContentModel } from '../../../../src/model/model.js';
import { compileCount, compileRead } from '../../../../src/query/compile/compile-read.js';
import { bindSlots, parameteriseRead } from '../../../../src/query/compile/parameterise.js';
import { loadFixtureModel } from '../../../support/models.js';
import { QUERIES } from './queries.js';
import { DIALECTS, parse } from './support.js';

/** Puts each clause on its own line, so that diffs are readable. */
const layOut = (sql: string): string =>
  sql
    .trim()
    .replace(/ +/g, ' ')
    .replace(/ ?(\(select|\bfrom|\bwhere|\border by|\blimit)\b/g, '\n$1');

describe.each(DIALECTS)('statements for $name', ({ name: dialectName, expressions }) => {
  let model: ContentModel;
  beforeAll(async () => {
    model = await loadFixtureModel('magazine');
  });

  it.each(Object.keys(QUERIES))('%s', async (name) => {
    const { type = '', params = {} } = QUERIES[name] ?? {};
    const query = parse(model, type, params);
    const { sql, slots } = compileRead(model, query, expressions);
    const bound = bindSlots(expressions, slots, parameteriseRead(query).values);
    const comments = bound.map(
      (value, index) => `-- ${index + 1}: ${typeof value === 'bigint' ? value : JSON.stringify(value)}`,
    );
    const text = `${layOut(sql)}\n\n${comments.join('\n')}\n`;
    await expect(text).toMatchFileSnapshot(`golden/${name}.${dialectName}.sql`);
  });

  it('count the rows that match the same conditions', async () => {
    const { sql } = compileCount(
      model,
      parse(model, 'api::article.article', {
        filters: { tags: { name: 'x' } },
        sort: 'title',
        populate: '*',
      }),
      expressions,
    );
    await expect(`${layOut(sql)}\n`).toMatchFileSnapshot(`golden/count.${dialectName}.sql`);
  });

  it('contain no values of the query', () => {
    const { sql } = compileRead(
      model,
      parse(model, 'api::tag.tag', {
        filters: { name: "x' or 1=1 --", weight: { $in: [77_777] } },
        pagination: { start: 55_555 },
      }),
      expressions,
    );
    expect(sql).not.toMatch(/or 1=1|77777|55555/);
  });
});
