/** Options that Prisma and Galley read from the query of a PostgreSQL URL. The driver ignores it. */
interface UrlOptions {
  /** The schema to work in. Null: the first of the role's search path. */
  readonly schema: string | null;
  /** True if a pooler gives each transaction another session. Null if the URL does not specify it. */
  readonly isPooled: boolean | null;
}

/** The URL may lack a host, which `URL` refuses. */
const queryOf = (url: string): URLSearchParams => new URLSearchParams(/\?([^#]*)/.exec(url)?.[1] ?? '');

export function readUrlOptions(url: string): UrlOptions {
  const query = queryOf(url);
  const pgbouncer = query.get('pgbouncer');
  return {
    schema: query.get('schema') || null,
    isPooled: pgbouncer === null ? null : pgbouncer === 'true',
  };
}
