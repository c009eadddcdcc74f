import type { PoolClient } from 'pg';

export interface TextStatement {
  /** Undefined: the server forgets the statement. */
  readonly name: string | undefined;
  readonly text: string;
  readonly values: readonly unknown[];
}

export type Texts = readonly (string | null)[];

/** Runs a statement that selects one column. */
export type QueryTexts = (client: PoolClient, statement: TextStatement) => Promise<Texts>;

/**
 * Loads the driver's queries, and returns one that makes nothing but texts. For any statement the driver
 * makes a row of each, and a parser for each column; and it copies what it is told property by property,
 * unless that is only a text.
 */
export async function loadTextQueries(): Promise<QueryTexts> {
  const { default: pg } = await import('pg');

  class TextQuery extends pg.Query {
    readonly name: string | undefined;
    readonly #texts: (string | null)[] = [];

    constructor({ name, text, values }: TextStatement, onEnd: (error: Error | null, texts: Texts) => void) {
      super(text, [...values], (error) => {
        onEnd(error ?? null, this.#texts);
      });
      this.name = name;
    }

    handleRowDescription(): void {
      // It is known.
    }

    handleDataRow({ fields }: { readonly fields: Texts }): void {
      this.#texts.push(fields[0] ?? null);
    }

    handleCommandComplete(): void {
      // Nobody asks how many rows there were.
    }
  }

  // By a callback: with the promises that the driver makes, the rows of finished queries outlive V8's quick
  // collections until its next full one, and moving them takes a fifth of a page's time.
  return (client, statement) =>
    new Promise((resolve, reject) => {
      client.query(
        new TextQuery(statement, (error, texts) => {
          if (error === null) resolve(texts);
          else reject(error);
        }),
      );
    });
}
