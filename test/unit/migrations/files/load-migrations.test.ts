import { describe, expect, it } from 'vitest';
import { schemaAfterMigrations } from '../../../../src/migrations/files/load-migrations.js';

const schema = (...models: readonly string[]): string =>
  ['datasource db {\n  provider = "sqlite"\n}\n', ...models].join('\n');
const article = (...fields: readonly string[]): string =>
  `model Article {\n  id Int @id\n${fields.map((field) => `  ${field}\n`).join('')}}\n`;
const tag = 'model Tag {\n  id Int @id\n}\n';

const migration = (name: string, parent: string | null, text: string) => ({
  name,
  snapshot: { parent, text },
});

describe('schemaAfterMigrations', () => {
  it('is null without migrations', () => {
    expect(schemaAfterMigrations([])).toBeNull();
  });

  it('is the text of the last migration, without branches', () => {
    const last = `// mine\n${schema(article('title String?'))}`;
    expect(
      schemaAfterMigrations([migration('1_a', null, schema(article())), migration('2_b', '1_a', last)]),
    ).toBe(last);
  });

  it('ignores migrations written by hand', () => {
    const last = schema(article('title String?'));
    expect(
      schemaAfterMigrations([
        migration('1_a', null, schema(article())),
        { name: '2_hand', snapshot: null },
        migration('3_b', '1_a', last),
        { name: '4_hand', snapshot: null },
      ]),
    ).toBe(last);
  });

  it('merges the changes of two branches since their common migration', () => {
    const base = schema(article('title String?', 'teaser String?'));
    const joined = schemaAfterMigrations([
      migration('1_base', null, base),
      migration(
        '2_ours',
        '1_base',
        schema(article('title String? @unique', 'teaser String?', 'views Int?'), tag),
      ),
      migration('3_theirs', '1_base', schema(article('title String?', 'body String?', '@@index([body])'))),
    ]);
    expect(joined).toBe(
      schema(article('title String? @unique', 'views Int?', 'body String?', '@@index([body])'), tag),
    );
  });

  it('takes the later change of a line, and drops what either branch dropped', () => {
    const base = schema(article('title String?', 'views Int?'), tag);
    const joined = schemaAfterMigrations([
      migration('1_base', null, base),
      migration('2_ours', '1_base', schema(article('title String?', 'views BigInt?'))),
      migration('3_theirs', '1_base', schema(article('title String?', 'views Float?'), tag)),
    ]);
    expect(joined).toBe(schema(article('title String?', 'views Float?')));
  });

  it('continues after branches were merged', () => {
    const last = schema(article('title String?'), tag);
    expect(
      schemaAfterMigrations([
        migration('1_base', null, schema(article())),
        migration('2_ours', '1_base', schema(article(), tag)),
        migration('3_theirs', '1_base', schema(article('title String?', 'extra Int?'))),
        migration('4_joined', '3_theirs', last),
      ]),
    ).toBe(last);
  });

  it('takes the schema of a migration whose predecessor is missing', () => {
    const last = schema(article('title String?'));
    expect(
      schemaAfterMigrations([
        migration('1_a', null, schema(article(), tag)),
        migration('3_c', '2_gone', last),
      ]),
    ).toBe(last);
  });
});
