import { describe, expect, it } from 'vitest';
import { findRenameCandidates } from '../../../../src/migrations/plan/rename-candidates.js';

const schema = (models: string): string => `datasource db {\n  provider = "sqlite"\n}\n\n${models}\n`;

describe('findRenameCandidates', () => {
  it('pairs dropped and added columns of the same type in one table', async () => {
    const before = schema(
      'model A {\n  id Int @id\n  title String?\n  views Int?\n}\n\n' +
        'model B {\n  id Int @id\n  name String?\n}',
    );
    const after = schema(
      'model A {\n  id Int @id\n  heading String?\n  subtitle String?\n}\n\n' +
        'model B {\n  id Int @id\n  other BigInt?\n}',
    );
    expect(await findRenameCandidates(before, after)).toEqual([
      { kind: 'column', table: 'A', from: 'title', to: 'heading' },
      { kind: 'column', table: 'A', from: 'title', to: 'subtitle' },
    ]);
  });

  it('pairs dropped and added tables that are similar', async () => {
    const fields = '  id Int @id\n  title String?\n  views Int?\n  at DateTime?\n';
    const before = schema(
      `model Article {\n${fields}}\n\nmodel Other {\n  id Int @id\n  x Int?\n  y Int?\n}`,
    );
    const after = schema(`model Post {\n${fields}  extra Int?\n}\n\nmodel Tag {\n  id Int @id\n}`);
    expect(await findRenameCandidates(before, after)).toEqual([
      { kind: 'table', from: 'Article', to: 'Post' },
    ]);
  });
});
