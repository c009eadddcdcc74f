import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { dialectNamed } from '../../../src/dialects/dialect-named.js';
import type { ContentModel } from '../../../src/model/model.js';
import { printPrismaSchema } from '../../../src/prisma-schema/print-prisma-schema.js';
import { databases } from '../../support/databases.js';
import type { TestDatabaseKind } from '../../support/databases.js';
import { loadFixtureModel, modelFrom } from '../../support/models.js';
import type { TypeLiteral } from '../../support/models.js';
import { createBench, drift, failure } from './support.js';

const base = await readFile(new URL('../../../prisma/base.prisma', import.meta.url), 'utf8');

const print = (kind: TestDatabaseKind, model: ContentModel): string => printPrismaSchema({ model, dialect: dialectNamed(kind.name), base });

const article = (attributes: TypeLiteral['attributes']): ContentModel => modelFrom({ types: { article: { draftAndPublish: true, attributes } } });

const STRING = { type: 'string' };

describe.each(databases)('schemas of content-types on $name', (kind) => {
  it.each(['magazine', 'launchpad'] as const)('makes every table of %s, and then nothing more', async (name) => {
    const bench = await createBench(kind);
    const schema = print(kind, await loadFixtureModel(name));

    await bench.migrate(schema);

    expect(await drift(kind, bench, schema)).toBe('');
    expect((await bench.migrate(schema)).name).toBeNull();
  });

  it('leads from one project to another and back', async () => {
    const bench = await createBench(kind);
    const [magazine, launchpad] = [print(kind, await loadFixtureModel('magazine')), print(kind, await loadFixtureModel('launchpad'))];
    for (const schema of [magazine, launchpad, magazine]) {
      await bench.migrate(schema);
      expect(await drift(kind, bench, schema)).toBe('');
    }
  });

  it('keeps what an attribute holds under its new name, and asks before one goes', async () => {
    const bench = await createBench(kind);
    await bench.migrate(print(kind, article({ title: STRING, teaser: { type: 'text', unique: true } })));
    await bench.run(`INSERT INTO articles_documents (document_id) VALUES ('d1')`);
    await bench.run(`INSERT INTO articles (document_id, status, locale, created_at, updated_at, title, teaser) VALUES ('d1', 'draft', '', '2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z', 'One', 'Two')`);
    const renamed = print(kind, article({ title: STRING, summary: { type: 'text', unique: true } }));

    expect((await failure(bench.migrate(renamed))).details['losses']).toEqual([{ kind: 'column', table: 'articles', column: 'teaser', rows: 1 }]);
    await bench.migrate(renamed, { renames: [{ kind: 'column', table: 'articles', from: 'teaser', to: 'summary' }] });

    expect(await bench.rows('SELECT title, summary FROM articles')).toEqual([{ title: 'One', summary: 'Two' }]);
    expect(await drift(kind, bench, renamed)).toBe('');
  });
});
