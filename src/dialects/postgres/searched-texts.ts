import { sql } from 'kysely';
import type { SearchedTable } from '../search-expressions.js';
import { createPostgresExpressions } from './expressions.js';
import type { Folding } from './fold.js';
import { searchedText } from './search.js';

/** Returns the texts of a table, in SQL: as statements have them, and so the indexes and statistics. */
export function searchedTexts({ texts }: SearchedTable, folding: Folding): readonly string[] {
  const { fold, kysely } = createPostgresExpressions(folding);
  return texts.map((values) => searchedText(fold, values, (name) => sql.id(name)).compile(kysely).sql);
}
