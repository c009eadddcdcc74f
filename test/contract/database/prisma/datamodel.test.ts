import { describe, expect, it } from 'vitest';
import { parseDatamodel } from '../../../../src/database/prisma/datamodel.js';
import { brokenReach } from './reach.js';

const SCHEMA = `datasource db {
  provider = "postgresql"
}

enum Mood {
  GOOD
  BAD  @map("bad")
}

model Author {
  id    Int    @id @default(autoincrement())
  mood  Mood
  books Book[]

  @@map("authors")
}

model Book {
  id       Int      @id
  at       DateTime @map("written_at") @db.Timestamp(3)
  authorId Int?
  author   Author?  @relation(fields: [authorId], references: [id])

  @@unique([at, authorId])
}
`;

describe('the parsed datamodel', () => {
  it('has the shape that migrations and the in-memory client read', async () => {
    const message = brokenReach('datamodel.ts', 'the result of `get_datamodel`');
    const { models, enums } = await parseDatamodel(SCHEMA);
    expect(enums, message).toMatchObject([
      { name: 'Mood', dbName: null, values: [{ name: 'GOOD', dbName: null }, { dbName: 'bad' }] },
    ]);
    expect(models, message).toMatchObject([
      { name: 'Author', dbName: 'authors', schema: null, primaryKey: null, uniqueFields: [] },
      { name: 'Book', dbName: null, uniqueFields: [['at', 'authorId']] },
    ]);
    const fields = models.flatMap(({ fields: each }) => each);
    expect(fields, message).toMatchObject([
      {
        name: 'id',
        kind: 'scalar',
        type: 'Int',
        isId: true,
        isRequired: true,
        default: { name: 'autoincrement' },
      },
      { name: 'mood', kind: 'enum', type: 'Mood', isList: false, isUnique: false },
      { name: 'books', kind: 'object', type: 'Book', isList: true, relationName: 'AuthorToBook' },
      { name: 'id', isId: true },
      { name: 'at', dbName: 'written_at', nativeType: ['Timestamp', ['3']] },
      { name: 'authorId', isRequired: false },
      { name: 'author', relationFromFields: ['authorId'], relationToFields: ['id'] },
    ]);
  });
});
