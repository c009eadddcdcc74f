import { beforeAll, describe, expect, it } from 'vitest';
import type { ContentModel } from '../../../src/model/model.js';
import { compileCount, compileRead } from '../../../src/sql/compile-read.js';
import { parameteriseRead } from '../../../src/sql/parameterise.js';
import { bindSlots } from '../../../src/sql/slots.js';
import { loadFixtureModel } from '../../support/models.js';
import { QUERIES } from './queries.js';
import { DIALECTS, parse } from './support.js';

/** One clause a line, for the eyes of whoever reads a diff. */
const layOut = (sql: string): string => sql.trim().replace(/ +/g, ' ').replace(/ ?(\(select|\bfrom|\bwhere|\border by|\blimit)\b/g, '\n$1');

describe.each(DIALECTS)('statements for $name', (dialect) => {
  let model: ContentModel;
  beforeAll(async () => {
    model = await loadFixtureModel('magazine');
  });

  it.each(Object.keys(QUERIES))('%s', async (name) => {
    const { type = '', params = {} } = QUERIES[name] ?? {};
    const query = parse(model, type, params);
    const { sql, slots } = compileRead(model, query, dialect);
    const bound = bindSlots(dialect, slots, parameteriseRead(query).values);
    const text = `${layOut(sql)}\n\n${bound.map((value, index) => `-- ${index + 1}: ${typeof value === 'bigint' ? value : JSON.stringify(value)}`).join('\n')}\n`;
    await expect(text).toMatchFileSnapshot(`golden/${name}.${dialect.name}.sql`);
  });

  it('counts the rows of the same conditions', async () => {
    const { sql } = compileCount(model, parse(model, 'api::article.article', { filters: { tags: { name: 'x' } }, sort: 'title', populate: '*' }), dialect);
    await expect(`${layOut(sql)}\n`).toMatchFileSnapshot(`golden/count.${dialect.name}.sql`);
  });

  it('hold no value of a query', () => {
    const { sql } = compileRead(model, parse(model, 'api::tag.tag', { filters: { name: "x' or 1=1 --", weight: { $in: [77_777] } }, pagination: { start: 55_555 } }), dialect);
    expect(sql).not.toMatch(/or 1=1|77777|55555/);
  });
});
